import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ClaudeSessions } from '../../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { createFolderWatches } from '../../packages/service/src/coordination/agents/io/folder-watches.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cost-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Bytes that this process has read so far, by the kernel's count. */
const bytesRead = async () => Number(/rchar: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);

test.runIf(process.platform === 'linux')(
  'of large transcripts only head and tail are read, and only once',
  async () => {
    const path = await folder();
    const project = join(path, 'projects/-r');
    await mkdir(project, { recursive: true });
    await mkdir(join(path, 'sessions'));
    const record = { type: 'assistant', cwd: '/r', timestamp: '2026-01-01T08:00:00.000Z' };
    const message = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'x'.repeat(4_000) }] };
    const text = `${JSON.stringify({ ...record, message })}\n`.repeat(2_000);
    const files = 8;
    for (let n = 0; n < files; n++)
      await writeFile(join(project, `0000000${n}-0000-4000-8000-000000000000.jsonl`), text);
    const clock = createSettableClock();
    // Node itself sometimes reads a file; the readers do the same in each round.
    const again: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const source = new ClaudeSessions({ path, clock, watches: false });
      const before = await bytesRead();
      expect((await source.poll()).transcripts.size).toBe(files);
      const first = (await bytesRead()) - before;
      expect(first).toBeLessThan(files * 64 * 1024);
      clock.advance(60_000);
      await source.poll();
      again.push((await bytesRead()) - before - first);
    }
    expect(Math.min(...again)).toBeLessThan(16 * 1024);
  },
);

test('a folder that cannot be watched is polled, and that is said', async () => {
  const path = await folder();
  await writeFile(join(path, 'file'), '');
  const wakeUps = createFolderWatches(() => undefined);
  onTestFinished(wakeUps.close);
  wakeUps.watchOnly([path, join(path, 'later')]);
  expect(wakeUps.failure()).toBeNull();
  wakeUps.watchOnly([join(path, 'file/x')]);
  expect(wakeUps.failure()).toBe('not watched (ENOTDIR), polled instead');
});

test('a burst of changes wakes once, soon, with all of them', async () => {
  const path = await folder();
  const bursts: string[][] = [];
  const wakeUps = createFolderWatches((paths) => bursts.push([...paths]));
  onTestFinished(wakeUps.close);
  wakeUps.watchOnly([path]);
  await expect.poll(() => bursts).toEqual([[path]]);
  bursts.length = 0;
  const paths = Array.from({ length: 50 }, (_, n) => join(path, String(n + 10)));
  // In one turn of the event loop, however long the machine needs for it.
  for (const one of paths) writeFileSync(one, 'x');
  await expect.poll(() => [...new Set(bursts.flat())].sort()).toEqual(paths);
  expect(bursts.length).toBeLessThanOrEqual(2);
});
