import type { Tree } from './agents/contract.ts';
import type { Mentions, PlannedNode } from './repositories/ports.ts';
import { repositoryOfNode } from './work/claim-session.ts';
import type { WorkState } from './work/work-state.ts';

/** The repositories that plans and trees mention, read from the work state on demand. */
export function mentionsOf(
  workState: WorkState,
  trees: () => readonly Pick<Tree, 'host' | 'root' | 'repository'>[],
): Mentions {
  return {
    *nodes() {
      for (const plan of workState.plans.all()) {
        if (plan.archivedAt !== null) continue;
        for (const node of plan.nodes.values()) yield plannedNode(workState, plan.slug, node.id);
      }
    },
    trees,
    locate(ref) {
      const [plan = '', node = ''] = ref.split('/', 2);
      const vertex = workState.find(plan, node);
      if (vertex === undefined) return { ref, repository: null };
      return { ref: workState.plans.refOf(vertex), repository: repositoryOfNode(workState, vertex) };
    },
  };
}

function plannedNode(workState: WorkState, plan: string, id: string): PlannedNode {
  const vertex = workState.find(plan, id) ?? -1;
  const node = workState.plans.graph.nodes[vertex];
  const binding = node?.binding ?? null;
  return {
    ref: workState.plans.refOf(vertex),
    plan,
    repository: repositoryOfNode(workState, vertex),
    done: workState.progress.isDone(vertex),
    dependsOn: (node?.dependsOn ?? []).map((ref) => (ref.includes('/') ? ref : `${plan}/${ref}`)),
    publishes: binding?.kind === 'package' ? { registry: binding.registry, name: binding.name } : null,
    takes: binding?.kind === 'dependency' ? { repository: binding.repository, name: binding.name } : null,
  };
}
