import type { NodeView } from '../../../live/wire.ts';

export type Grouping = 'none' | 'label' | 'repository' | 'plan';

export const finished = '#finished';
const foldFrom = 60;

/** Large plans open folded: by label where most nodes have one, else by repository where there are several. */
export function usualGrouping(nodes: readonly NodeView[]): Grouping {
  if (nodes.length <= foldFrom) return 'none';
  const labelled = nodes.filter(({ labels }) => labels.length > 0).length;
  if (labelled * 2 > nodes.length) return 'label';
  return new Set(nodes.map(({ repository }) => repository)).size > 2 ? 'repository' : 'none';
}

export const foldsByItself = (nodes: readonly NodeView[]): boolean => nodes.length > foldFrom;

const names: Record<Grouping, (node: NodeView) => string | null> = {
  none: () => null,
  label: ({ labels }) => labels[0] ?? null,
  repository: ({ repository }) => repository,
  plan: ({ plan }) => plan,
};

/** The group of each node that is folded. Finished work that nothing open waits for is a group of its own. */
export function groupsOf(
  nodes: readonly NodeView[],
  { by, fold, open }: { by: Grouping; fold: boolean; open: ReadonlySet<string> },
): (string | null)[] {
  const wanted = fold ? openNeeds(nodes) : null;
  return nodes.map((node) => {
    const name = names[by](node);
    if (name !== null && by !== 'none' && !open.has(name)) return name;
    return wanted && node.status === 'done' && !wanted.has(node.ref.toLowerCase()) ? finished : null;
  });
}

const openNeeds = (nodes: readonly NodeView[]): Set<string> =>
  new Set(
    nodes
      .filter(({ status }) => status !== 'done')
      .flatMap(({ dependsOn }) => dependsOn.map(({ ref }) => ref.toLowerCase())),
  );
