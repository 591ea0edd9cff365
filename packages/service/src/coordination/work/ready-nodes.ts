import type { WorkState } from './work-state.ts';

export type ReadyFilter = {
  plan?: string | null | undefined;
  repository?: string | null | undefined;
  label?: string | null | undefined;
};

/** Ready nodes of all active plans, best first, narrowed to what was asked. What is handed in is not among them. */
export function readyNodes(workState: WorkState, filter: ReadyFilter, now: string): readonly number[] {
  const unblocked = unblockedNodes(workState, filter);
  if (workState.claims.submitted().size === 0) return unblocked;
  return unblocked.filter((vertex) => workState.isReady(vertex, now));
}

/** Nothing has an empty label. */
function unblockedNodes(workState: WorkState, { plan, repository, label }: ReadyFilter): readonly number[] {
  const all = workState.progress.readyOrder();
  const slug = plan?.toLowerCase();
  const owner = repository?.toLowerCase();
  const word = label?.toLowerCase();
  if (slug === undefined && owner === undefined && word === undefined) return all;
  const { graph } = workState.plans;
  const only = slug === undefined ? undefined : workState.plans.find(slug);
  return all.filter((vertex) => {
    const node = graph.nodes[vertex];
    const of = graph.plans[vertex];
    if (slug !== undefined && of !== only) return false;
    if (owner !== undefined && (node?.repository ?? of?.repository)?.toLowerCase() !== owner) return false;
    return word === undefined || (node?.labels.some((each) => each.toLowerCase() === word) ?? false);
  });
}

/** The best ready node without a live claim that is not handed in. Nodes without a binding are included only with `unbound`. */
export function bestUnclaimed(
  workState: WorkState,
  filter: ReadyFilter & { unbound?: boolean | null | undefined; except?: readonly string[] | null | undefined },
  now: string,
  isPending: (vertex: number) => boolean = () => false,
): number | undefined {
  const except = new Set(filter.except?.map((ref) => ref.toLowerCase()));
  return unblockedNodes(workState, filter).find(
    (vertex) =>
      workState.liveLease(vertex, now) === null &&
      workState.submissionOf(vertex, now) === null &&
      !isPending(vertex) &&
      (except.size === 0 || !except.has(workState.plans.refOf(vertex).toLowerCase())) &&
      (filter.unbound === true || workState.plans.graph.nodes[vertex]?.binding !== null),
  );
}
