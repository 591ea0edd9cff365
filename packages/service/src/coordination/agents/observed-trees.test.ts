import { expect, test } from 'vitest';
import { createSubagentTrees } from './observed-trees.ts';
import type { WorktreeOnDisk } from './ports.ts';

const tree = (name: string): WorktreeOnDisk => ({
  root: `/r/.claude/worktrees/${name}`,
  mainRoot: '/r',
  repository: null,
  branch: null,
  worktree: true,
  onDisk: true,
  lockedByLiveProcess: false,
});

test('the sessions behind all worktrees of subagents are asked for at once, and in vain only once a minute', async () => {
  const asked: string[][] = [];
  const trees = createSubagentTrees([
    {
      async parentsOf(agentIds) {
        asked.push([...agentIds]);
        return new Map([['a1', 's-1']]);
      },
    },
  ]);
  const all = [tree('agent-a1'), tree('agent-b2'), tree('fern')];
  for (const now of [0, 1_000, 59_999, 60_000]) {
    expect([...(await trees.parents(all, now))]).toEqual([['/r/.claude/worktrees/agent-a1', 's-1']]);
  }
  expect(asked).toEqual([['a1', 'b2'], ['b2']]);
});
