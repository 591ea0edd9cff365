import { cp, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessTable } from '../../packages/service/src/platform/processes.ts';

const fixture = join(import.meta.dirname, '../fixtures/sessions/claude');

export type ExpectedSession = {
  case: string;
  state: string;
  reason: string;
  root: string;
  branch: string;
  inferred?: boolean;
};

/**
 * The fixture in its own folder: `/fx` becomes that folder, and `dot-git` becomes `.git`. Its process ids are above the
 * highest that a kernel gives, so that no real process can be taken for one of its sessions or for the holder of its lock.
 */
export async function layOutFixture(): Promise<
  AsyncDisposable & { root: string; config: string; expected: FixtureFacts }
> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'sessions-')));
  await cp(join(fixture, 'repos'), join(root, 'repos'), { recursive: true });
  await cp(join(fixture, 'home/.claude'), join(root, 'home/.claude'), { recursive: true });
  await rebase(root, root);
  const text = (await readFile(join(fixture, 'expected.json'), 'utf8')).replaceAll('"/fx', `"${root}`);
  return {
    root,
    config: join(root, 'home/.claude'),
    expected: JSON.parse(text),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

type FixtureFacts = { now: string; sessions: Record<string, ExpectedSession> };

async function rebase(folder: string, root: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await rebase(path, root);
    else await writeFile(path, (await readFile(path, 'utf8')).replaceAll('/fx/', `${root}/`));
    if (entry.name === 'dot-git') await rename(path, join(folder, '.git'));
  }
}

/** The fixture's own process table, and further processes that should seem alive. */
export async function fixtureProcesses(more: Record<string, string> = {}): Promise<ProcessTable> {
  const { procs } = JSON.parse(await readFile(join(fixture, 'procs.json'), 'utf8')) as {
    procs: Record<string, string>;
  };
  const living = new Map(Object.entries({ ...procs, ...more }).map(([pid, start]) => [Number(pid), start]));
  return {
    startTimes: async (pids) => new Map([...living].filter(([pid]) => pids.includes(pid))),
    startFormat: 'ticks',
  };
}
