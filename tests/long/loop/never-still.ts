import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startedProcess } from '../../spawn.ts';
import { bareWork, cpuMsOf } from './bare-work.ts';

type Stretch = { busyMs: number; elapsedMs: number; systemMs: number; collectedMs: number; during: string };
type Spawned = Awaited<ReturnType<typeof startedProcess>>;
export type Watched = Spawned & {
  /** The longest time so far in which the main thread computed without answering anybody. */
  longest(): Stretch;
  /** The longest duration of the work in `bare-work.ts` meanwhile: about 10 ms on a machine of 2024. */
  bareMs(): Promise<number>;
};

/** As long as ten pieces of bare work: about 100 ms, or more if the machine is slower at the moment. */
export const mostPieces = 10;

/** The service in its own process, whose event loop is watched, with the bare work running next to it. */
export async function startWatched(
  env: Record<string, string> = {},
  args: readonly string[] = [],
  home?: string,
): Promise<Watched> {
  const bare = fork(join(import.meta.dirname, 'bare-work.ts'));
  await once(bare, 'message');
  const { NODE_OPTIONS = '', ...others } = env;
  const watch = `--import ${join(import.meta.dirname, 'watch.ts')}`;
  const file = join(tmpdir(), `loop-${process.pid}-${bare.pid}.json`);
  const service = await startedProcess(
    { ...others, NODE_OPTIONS: `${NODE_OPTIONS} ${watch}`, LOOP_WATCH: file },
    args,
    home,
  );
  const stop = service[Symbol.asyncDispose].bind(service);
  return Object.assign(service, {
    longest: () => stretchIn(file),
    bareMs: () => askLongest(bare),
    async [Symbol.asyncDispose]() {
      bare.disconnect();
      await stop();
      rmSync(file, { force: true });
    },
  });
}

const stretchIn = (file: string): Stretch =>
  existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { busyMs: 0, elapsedMs: 0, systemMs: 0, collectedMs: 0, during: '' };

async function askLongest(bare: ChildProcess): Promise<number> {
  bare.send('longest');
  const [longestMs] = (await once(bare, 'message')) as [number];
  return longestMs;
}

export const partsOf = ({ busyMs, elapsedMs, systemMs, collectedMs }: Stretch): string =>
  `${busyMs.toFixed(0)} ms (${elapsedMs.toFixed(0)} by the clock, ${systemMs.toFixed(0)} in the system, ${collectedMs.toFixed(0)} collecting garbage)`;

/** Fails if the service computed for longer than ten pieces of bare work, and names the requests in progress then. */
export async function expectNeverStill(service: Watched): Promise<void> {
  const stretch = service.longest();
  const { busyMs, during } = stretch;
  const bareMs = await service.bareMs();
  const figures = `${partsOf(stretch)}, ${bareMs.toFixed(1)} ms for the bare work`;
  expect(busyMs / bareMs, `computed at a stretch for ${figures}, during ${during}`).toBeLessThan(mostPieces);
}

/** The same limit for a function that is called in the process of the test. */
export function expectBrief(work: () => unknown, pieces = mostPieces): void {
  const bareMs = Math.max(...Array.from({ length: 10 }, () => cpuMsOf(bareWork)));
  expect(cpuMsOf(work) / bareMs).toBeLessThan(pieces);
}
