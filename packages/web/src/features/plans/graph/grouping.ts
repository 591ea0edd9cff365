import type { NodeView } from '../../../live/wire.ts';

export type Grouping = 'none' | 'label' | 'repository' | 'plan';

export const finished = '#finished';
const foldFrom = 60;

/** Large plans open folded: by label if most nodes have one, otherwise by repository if there are several. */
export function usualGrouping(nodes: readonly NodeView[]): Grouping {
  if (nodes.length <= foldFrom) return 'none';
  const labelled = nodes.filter(({ labels }) => labels.length > 0).length;
  if (labelled * 2 > nodes.length) return 'label';
  return new Set(nodes.map(({ repository }) => repository)).size > 2 ? 'repository' : 'none';
}

export const foldsByItself = (nodes: readonly NodeView[]): boolean => nodes.length > foldFrom;

/** The groupings that would fold something: several groups, one of them with more than one node. A plan is always a group of its own. */
export function sensibleGroupings(nodes: readonly NodeView[], groupings: readonly Grouping[]): readonly Grouping[] {
  return groupings.filter((by) => {
    if (by === 'none') return true;
    const groups = Map.groupBy(nodes, names[by]);
    return (
      groups.size > 1 && (by === 'plan' || [...groups].some(([name, inside]) => name !== null && inside.length > 1))
    );
  });
}

const names: Record<Grouping, (node: NodeView) => string | null> = {
  none: () => null,
  label: ({ labels }) => labels[0] ?? null,
  repository: ({ repository }) => repository,
  plan: ({ plan }) => plan,
};

/** The group of each node that is folded; `shown` are nodes that a link names, which are never folded. Finished work that
 * nothing open waits for is a group of its own. */
export function groupsOf(
  nodes: readonly NodeView[],
  { by, fold, open, shown }: { by: Grouping; fold: boolean; open: ReadonlySet<string>; shown: ReadonlySet<string> },
): (string | null)[] {
  const wanted = fold ? openNeeds(nodes) : null;
  const isShown = (node: NodeView) => shown.has(node.ref.toLowerCase());
  const opened = new Set([...open, ...nodes.filter(isShown).map(names[by])]);
  return nodes.map((node) => {
    const name = names[by](node);
    if (name !== null && by !== 'none' && !opened.has(name)) return name;
    if (isShown(node)) return null;
    return wanted && node.status === 'done' && !wanted.has(node.ref.toLowerCase()) ? finished : null;
  });
}

const openNeeds = (nodes: readonly NodeView[]): Set<string> =>
  new Set(
    nodes
      .filter(({ status }) => status !== 'done')
      .flatMap(({ dependsOn }) => dependsOn.map(({ ref }) => ref.toLowerCase())),
  );
