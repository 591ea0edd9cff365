import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ClaudeSessions } from '../../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { CodexSessions } from '../../packages/service/src/coordination/agents/io/codex-sessions.ts';
import { GitLocator } from '../../packages/service/src/coordination/agents/io/git-locator.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

/** A folder whose contents this process cannot read, even if the tests run as root. */
async function closedFolder(): Promise<{ top: string; open(): Promise<void> }> {
  const top = await mkdtemp(join(tmpdir(), 'closed-'));
  await mkdir(join(top, 'sessions/2026/01/01'), { recursive: true });
  await mkdir(join(top, 'repository/.git'), { recursive: true });
  await chmod(top, 0o000);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  const open = async () => {
    if (isRoot) process.seteuid?.(0);
    await chmod(top, 0o700);
  };
  onTestFinished(async () => {
    await open();
    await rm(top, { recursive: true, force: true });
  });
  return { top, open };
}

const clock = createSettableClock();
const says = /cannot be read: give the user that runs signalbox read access/;

test('unreadable sessions are reported as unreadable, with what to do, and never as missing', async () => {
  const { top, open } = await closedFolder();
  const claude = new ClaudeSessions({ path: top, clock, watches: false });
  const codex = new CodexSessions({ path: top, clock, watches: false });
  expect(await claude.poll()).toMatchObject({ ok: false, detail: expect.stringMatching(says) });
  expect(await codex.poll()).toMatchObject({ ok: false, detail: expect.stringMatching(says) });
  await open();
  expect(await codex.poll()).toMatchObject({ ok: true });
});

test('an unreadable directory is not missing, and the sources say what to do', async () => {
  const { top } = await closedFolder();
  const locator = new GitLocator();
  const cwd = join(top, 'repository');
  expect(await locator.locate(cwd, 'main')).toMatchObject({ root: null, onDisk: true });
  expect(locator.sources()).toEqual([{ tool: 'git', path: cwd, ok: false, detail: expect.stringMatching(says) }]);
});

test('a directory of another system is nowhere, and never taken for the folder that this process stands in', async () => {
  const nowhere = { root: null, mainRoot: null, repository: null, onDisk: false };
  for (const cwd of ['C:\\work\\shop', '\\\\wsl$\\home\\ada', 'relative/path', '']) {
    expect(await new GitLocator().locate(cwd, 'main')).toMatchObject(nowhere);
  }
});
