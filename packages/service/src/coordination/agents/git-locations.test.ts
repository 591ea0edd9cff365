import { expect, test } from 'vitest';
import { createGitLocations } from './git-locations.ts';
import type { GitLocation, WorktreeOnDisk } from './ports.ts';

const place = (root: string, mainRoot: string): GitLocation => ({
  root,
  mainRoot,
  repository: 'acme/shop',
  branch: 'main',
  worktree: root !== mainRoot,
  onDisk: true,
});

test('the worktrees of agents are looked for in the repository and in the worktree that they were started in', async () => {
  const inner = '/side/.claude/worktrees/fern';
  const onDisk = new Map<string, WorktreeOnDisk>([
    ['/side', { ...place(inner, '/main'), root: inner, lockedByLiveProcess: true }],
  ]);
  const places = createGitLocations({
    locate: async (cwd) => place(cwd, '/main'),
    worktreesOf: async (root) => [...onDisk].flatMap(([at, found]) => (at === root ? [found] : [])),
  });
  await places.refresh(new Map([[inner, null]]), new Set(), 0);
  expect(places.worktrees()).toMatchObject([{ root: inner, lockedByLiveProcess: true }]);
});

test('a tree that was moved away is seen gone by all who stood in it, not when each of them is due', async () => {
  let isThere = true;
  const places = createGitLocations({
    locate: async () => ({ ...place('/main', '/main'), onDisk: isThere }),
    worktreesOf: async () => [],
  });
  const look = async (now: number) => {
    await places.refresh(
      new Map([
        ['/main', null],
        ['/main/src', null],
      ]),
      new Set(['/main']),
      now,
    );
    return [...places.byCwd().values()].map(({ onDisk }) => onDisk);
  };
  await look(0);
  isThere = false;
  expect([await look(8_000), await look(9_000)]).toEqual([
    [false, true],
    [false, false],
  ]);
});

test('a worktree that somebody removed is seen gone at the next look, though only gone sessions stood in it', async () => {
  const fern = '/main/.claude/worktrees/fern';
  let isThere = true;
  const places = createGitLocations({
    locate: async (cwd) => ({ ...place(cwd, '/main'), onDisk: isThere }),
    worktreesOf: async () => (isThere ? [{ ...place(fern, '/main'), root: fern, lockedByLiveProcess: false }] : []),
  });
  const look = async (now: number) => {
    await places.refresh(new Map([[fern, null]]), new Set(), now);
    return places.byCwd().get(fern)?.onDisk;
  };
  await look(0);
  isThere = false;
  expect([await look(6_000), await look(7_000)]).toEqual([true, false]);
});
