import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const read = async ({ console }: Started) => (await console('GET', '/api/event-model')).body;

async function cli(...args: string[]) {
  await using run = signalbox(['event-model', ...args]);
  const code = await run.ended;
  return { code, out: run.out() + run.err() };
}

verifies('model:push-204', 'a file is checked and pushed from the command line', async () => {
  await using service = await start();
  const example = join(import.meta.dirname, '../../examples/event-model.yaml');
  expect(await cli('check', example)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Wallets is valid: 5 slices'),
  });
  expect(await cli('push', example, '--url', service.consoleUrl)).toMatchObject({ code: 0 });
  expect((await read(service)).sources).toMatchObject([{ source: 'design', slices: 5 }]);

  const broken = join(service.home, 'broken board.yaml');
  await writeFile(broken, 'model: Orders\nslices:\n  - nam: A\n');
  expect(await cli('push', broken, '--url', service.consoleUrl)).toMatchObject({
    code: 1,
    out: expect.stringContaining('broken board.yaml:3: slices[0].nam'),
  });
  await writeFile(broken, 'model: Orders\nslices: []\n');
  const refused = await cli('push', broken, '--url', service.consoleUrl);
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('DELETE /api/event-model/design')]);
  expect(await cli('push', example, '--url', 'http://127.0.0.1:1')).toMatchObject({ code: 3 });
  expect(await cli('push', 'no-folder/board.yaml', '--watch', '--url', service.consoleUrl)).toMatchObject({
    code: 1,
    out: expect.stringContaining('no-folder/board.yaml: cannot be read (ENOENT)'),
  });
});

verifies('model:push-204', 'a watched file is pushed whenever it changes, past a save that is broken', async () => {
  await using service = await start();
  const file = join(service.home, 'board.yaml');
  const save = (slice: string) => writeFile(file, `model: W\nslices:\n  - name: ${slice}\n`);
  await save('One');
  await using watching = signalbox(['event-model', 'push', file, '--watch', '--url', service.consoleUrl]);
  await watching.says(/Watching/);
  await save('');
  await watching.says(/slices\[0\]\.name/);
  await save('Two');
  await watching.says(/pushed to[\s\S]*pushed to/);
  expect((await read(service)).slices.map(({ name }: { name: string }) => name)).toEqual(['Two']);
  watching.child.kill('SIGTERM');
  await watching.ended;
});
