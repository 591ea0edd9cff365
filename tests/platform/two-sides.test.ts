import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { nothingAnswers } from '../../packages/service/src/cli/nothing-answers.ts';
import { platform, platformOf } from '../../packages/service/src/platform/platform.ts';

const variable = 'SIGNALBOX_SERVICE_URL';
const inWsl = (address: string | null) => ({ otherSide: () => address, whereUnreachable: null });

test.runIf(platform.name === 'Linux')(
  'in WSL a service on the side of Windows is found, and how to reach it said',
  async () => {
    const server = createServer((_, response) => void response.end('{}'));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const { port } = server.address() as AddressInfo;
    const said = await nothingAnswers(`http://localhost:${port}`, variable, inWsl('127.0.0.2'));
    expect(said).toContain(`use --url http://127.0.0.2:${port}, or ${variable}=http://127.0.0.2:${port}`);
  },
);

test('one that is on neither side is said to be unreachable on both', async () => {
  const said = await nothingAnswers('http://localhost:9', variable, inWsl('127.0.0.2'));
  expect(said).toMatch(/^No service answers at http:\/\/localhost:9\. .*at http:\/\/127\.0\.0\.2:9 either/);
});

test('an address of elsewhere has no other side, and Windows is told of WSL', async () => {
  expect(await nothingAnswers('http://build-box:5526', variable, inWsl('127.0.0.2'))).not.toContain('WSL');
  expect(await nothingAnswers('http://localhost:9', variable, platformOf('win32'))).toContain('wsl hostname -I');
});

test('npm start on Windows advises using WSL, before it installs anything', () => {
  const onWindows = 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })';
  const prepare = join(import.meta.dirname, '../../scripts/prepare.mjs');
  const { status, stderr } = spawnSync(process.execPath, ['--import', onWindows, prepare], {
    env: { ...process.env, npm_lifecycle_event: 'prestart' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/inside WSL\.\n$/)]);
});
