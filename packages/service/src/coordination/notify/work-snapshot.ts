import type { SessionFacts } from '../agents/session-facts.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { WorkState } from '../work/work-state.ts';
import type { ContestedTree, ReadyNode, WorkSnapshot } from './ports.ts';

export type SnapshotDeps = {
  workState: WorkState;
  sessions: () => readonly SessionFacts[];
  trees: () => readonly TreeFacts[];
};

/** What can be started and which trees are contested, read from the state that every answer is read from. */
export const readWorkSnapshot = ({ workState, sessions, trees }: SnapshotDeps): WorkSnapshot => ({
  ready: readyIn(workState),
  contested: contestedIn(trees(), sessions()),
});

function readyIn({ plans, progress }: WorkState): ReadyNode[] {
  return progress.readyOrder().flatMap((vertex) => {
    const [plan, node] = [plans.graph.plans[vertex], plans.graph.nodes[vertex]];
    return plan && node ? [{ plan: plan.slug, node: node.id, dependsOn: node.dependsOn }] : [];
  });
}

function contestedIn(trees: readonly TreeFacts[], sessions: readonly SessionFacts[]): ContestedTree[] {
  const live = new Set(sessions.filter((session) => session.live).map(({ sessionId }) => sessionId));
  return trees
    .filter(({ contested }) => contested)
    .map((tree) => ({ host: tree.host, root: tree.root, live: tree.sessions.filter((id) => live.has(id)).length }));
}
