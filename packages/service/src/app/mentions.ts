import type { Tree } from '../coordination/agents/contract.ts';
import type { Mentions, PlannedNode } from '../coordination/repositories/ports.ts';
import type { Picture } from '../coordination/work/picture.ts';

/** What plans and trees say of repositories, read off the picture when it is asked for. */
export function mentionsOf(picture: Picture, trees: () => readonly Pick<Tree, 'root' | 'repository'>[]): Mentions {
  return {
    *nodes() {
      for (const plan of picture.plans.all()) {
        if (plan.archivedAt !== null) continue;
        for (const node of plan.nodes.values()) yield plannedNode(picture, plan.slug, node.id);
      }
    },
    trees,
    locate(ref) {
      const [plan = '', node = ''] = ref.split('/', 2);
      const vertex = picture.find(plan, node);
      if (vertex === undefined) return { ref, repository: null };
      return { ref: picture.plans.refOf(vertex), repository: repositoryAt(picture, vertex) };
    },
  };
}

const repositoryAt = ({ plans: { graph } }: Picture, vertex: number): string | null =>
  graph.nodes[vertex]?.repository ?? graph.plans[vertex]?.repository ?? null;

function plannedNode(picture: Picture, plan: string, id: string): PlannedNode {
  const vertex = picture.find(plan, id) ?? -1;
  const node = picture.plans.graph.nodes[vertex];
  const binding = node?.binding ?? null;
  return {
    ref: picture.plans.refOf(vertex),
    plan,
    repository: repositoryAt(picture, vertex),
    done: picture.standing.isDone(vertex),
    dependsOn: (node?.dependsOn ?? []).map((ref) => (ref.includes('/') ? ref : `${plan}/${ref}`)),
    publishes: binding?.kind === 'package' ? { registry: binding.registry, name: binding.name } : null,
    takes: binding?.kind === 'dependency' ? { repository: binding.repository, name: binding.name } : null,
  };
}
