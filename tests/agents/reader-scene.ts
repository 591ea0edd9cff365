import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SessionReader } from '../../packages/service/src/coordination/agents/ports.ts';
import { createSessionTracker } from '../../packages/service/src/coordination/agents/session-tracker.ts';
import type { RunningProcess } from '../../packages/service/src/platform/processes.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

/** Files that a real program wrote, recorded by `npm run fixtures`. */
export const fixtureOf = (tool: string, name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../fixtures/sessions', tool, name), 'utf8');

export const linesOf = async (tool: string): Promise<string[]> =>
  (await fixtureOf(tool, 'session-1.jsonl')).split('\n').filter((line) => line !== '');

/** A home with one reader on it, and the processes that the test declares as running. */
export async function readerScene<Reader extends SessionReader>(
  startAt: number,
  open: (path: string, clock: ReturnType<typeof createSettableClock>, running: () => RunningProcess[]) => Reader,
) {
  const path = await mkdtemp(join(tmpdir(), 'reader-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const clock = createSettableClock(startAt);
  let running: RunningProcess[] = [];
  const reader = open(path, clock, () => running);
  const tracker = createSessionTracker();
  const hookReports = { starts: new Map(), ends: new Map() };
  return {
    path,
    runs: (...processes: RunningProcess[]) => {
      running = processes;
    },
    async put(file: string, text: string): Promise<void> {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    },
    copy: (from: string, to: string) => cp(join(path, from), join(path, to)),
    files: async () => (await readdir(path, { recursive: true })).sort(),
    /** Polls after a while; returns what the board would show. */
    async poll(afterMs = 2_500) {
      clock.advance(afterMs);
      const scan = await reader.poll('all');
      const at = { wall: clock.wall(), monotonic: clock.monotonic() };
      tracker.observe({ host: 'h', scans: [scan], locations: new Map(), locationsChanged: false, hookReports, at });
      return {
        scan,
        sessions: tracker
          .sessions()
          .map(({ sessionId, state, reason, cwd, pid }) => ({ sessionId, state, reason, cwd, pid })),
      };
    },
  };
}

export const process = (pid: number, startedAt: number, args: readonly string[], cwd = '/fx/shop'): RunningProcess => ({
  pid,
  parent: 1,
  cwd,
  startedAt,
  args,
});
