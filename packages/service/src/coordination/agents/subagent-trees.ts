import type { SessionFacts } from './facts.ts';
import type { SessionSource, WorktreeOnDisk } from './ports.ts';

/** A subagent's worktree is called after it, `agent-<id>`; its records lie beside those of the session it serves. */
const named = /[/\\]agent-([\w-]{1,64})$/;
const retryMs = 60_000;

export function createSubagentTrees(sources: readonly SessionSource[]) {
  const found = new Map<string, string>();
  const missedAt = new Map<string, number>();

  async function parentOf(agentId: string, sessionIds: readonly string[]): Promise<string | null> {
    for (const source of sources) {
      const parent = await source.parentOf(agentId, sessionIds);
      if (parent !== null) return parent;
    }
    return null;
  }

  return {
    /** Root of each subagent's worktree to the session that started it, where that can be told. */
    async parents(
      worktrees: readonly WorktreeOnDisk[],
      sessions: readonly SessionFacts[],
      now: number,
    ): Promise<ReadonlyMap<string, string>> {
      for (const { root } of worktrees) {
        const agentId = named.exec(root)?.[1];
        if (agentId === undefined || found.has(root)) continue;
        if (now - (missedAt.get(root) ?? Number.NEGATIVE_INFINITY) < retryMs) continue;
        const parent = await parentOf(
          agentId,
          sessions.map(({ sessionId }) => sessionId),
        );
        if (parent === null) missedAt.set(root, now);
        else found.set(root, parent);
      }
      return found;
    },
  };
}
