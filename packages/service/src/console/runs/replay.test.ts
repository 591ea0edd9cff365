import { expect, onTestFinished, test, vi } from 'vitest';
import { replayArchive } from './replay.ts';

test('archives whose lines arrive in one turn of the event loop wait for a turn with time left before a line is read', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const line = JSON.stringify({ type: 'run_started', runId: 'r', suite: 'x'.repeat(10_000) });
  async function* lines() {
    yield [line];
  }
  const paused: Array<() => void> = [];
  const spent = { isSpent: () => true, pause: () => new Promise<void>((resume) => paused.push(resume)) };
  const replays = [1, 2, 3].map(() => replayArchive('r', lines(), spent));
  await new Promise(setImmediate);
  expect([paused.length, parse.mock.calls.length]).toEqual([3, 0]);
  for (const resume of paused) resume();
  expect((await Promise.all(replays)).map((replayed) => replayed.lines)).toEqual([1, 1, 1]);
});
