import type { SessionReader, WorktreeOnDisk } from './ports.ts';

/** A subagent's worktree is called after it, `agent-<id>`; its records lie beside those of the session it serves. */
const worktreeName = /[/\\]agent-([\w-]{1,64})$/;
const retryMs = 60_000;

export function createSubagentTrees(readers: readonly Pick<SessionReader, 'parentsOf'>[]) {
  const found = new Map<string, string>();
  const missedAt = new Map<string, number>();

  /** Subagents that are new or were not found some time ago, by id. */
  function unresolvedRoots(worktrees: readonly WorktreeOnDisk[], now: number): Map<string, string> {
    const roots = new Map<string, string>();
    for (const { root } of worktrees) {
      const agentId = worktreeName.exec(root)?.[1];
      if (agentId === undefined || found.has(root)) continue;
      if (now - (missedAt.get(root) ?? Number.NEGATIVE_INFINITY) >= retryMs) roots.set(agentId, root);
    }
    return roots;
  }

  return {
    /** Root of each subagent's worktree to the session that started it, where that is known. */
    async parents(worktrees: readonly WorktreeOnDisk[], now: number): Promise<ReadonlyMap<string, string>> {
      const roots = unresolvedRoots(worktrees, now);
      if (roots.size === 0) return found;
      const agentIds = new Set(roots.keys());
      const parents = await Promise.all(
        readers.map((reader) => reader.parentsOf?.(agentIds) ?? new Map<string, string>()),
      );
      for (const [agentId, root] of roots) {
        const parent = parents.map((one) => one.get(agentId)).find((one) => one !== undefined);
        if (parent === undefined) missedAt.set(root, now);
        else found.set(root, parent);
      }
      return found;
    },
  };
}
