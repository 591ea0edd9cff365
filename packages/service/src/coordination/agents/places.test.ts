import { expect, test } from 'vitest';
import { createPlaces } from './places.ts';
import type { Place, WorktreeOnDisk } from './ports.ts';

const place = (root: string, mainRoot: string): Place => ({
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
    ['/side', { ...place(inner, '/main'), root: inner, lockedByLiving: true }],
  ]);
  const places = createPlaces({
    locate: async (cwd) => place(cwd, '/main'),
    worktreesOf: async (root) => [...onDisk].flatMap(([at, found]) => (at === root ? [found] : [])),
  });
  await places.refresh(new Map([[inner, null]]), new Set(), 0);
  expect(places.worktrees()).toMatchObject([{ root: inner, lockedByLiving: true }]);
});
