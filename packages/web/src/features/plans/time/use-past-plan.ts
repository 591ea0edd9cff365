import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type PastPlan, pastPlanAfter, pastPlanAt } from 'signalbox/browser/plan-fold';
import type { HistoryEntry, NodeView } from '../../../live/wire.ts';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { historyQuery, usePlanHistory } from '../plan-queries.ts';
import { nodesAt } from './past-nodes.ts';

export type PastPlanView = {
  entries: readonly HistoryEntry[];
  /** The plan is shown after this many events. */
  count: number;
  nodes: readonly NodeView[];
  show: (count: number | null) => void;
};

/** The plan after its first `at` events; `at` is in the address. `past` is null if the current plan is shown. */
export function usePastPlan(slug: string): { past: PastPlanView | null; open: () => void } {
  const [atText, setAt] = useSearchParam('at');
  const isOpen = atText !== null;
  const entries = usePlanHistory(slug, isOpen).data;
  const count = Math.max(1, Math.min(entries?.length ?? 1, Number(atText) || 1));
  const pastPlan = useMemo(() => (entries && isOpen ? pastPlanAfter(entries, count) : null), [entries, isOpen, count]);
  const at = entries?.[count - 1]?.at ?? '';
  const others = useOtherPastPlans(slug, pastPlan, at);
  const nodes = useMemo(() => {
    if (!pastPlan) return [];
    const otherPlanNode = (ref: string) => {
      const [plan = '', id = ''] = ref.toLowerCase().split('/');
      const other = others.get(plan);
      return { done: other?.proofOf(id) === 'done', missing: other ? !other.nodes.has(id) : false };
    };
    return nodesAt(slug, pastPlan, at, otherPlanNode);
  }, [slug, pastPlan, at, others]);
  const show = (to: number | null) => setAt(to === null ? null : String(to));
  return {
    past: isOpen && entries ? { entries, count, nodes, show } : null,
    open: () => setAt(String(entries?.length ?? Number.MAX_SAFE_INTEGER)),
  };
}

/** Other plans that this one depends on, at the same instant. */
function useOtherPastPlans(slug: string, pastPlan: PastPlan | null, at: string): ReadonlyMap<string, PastPlan> {
  const plans = useMemo(() => {
    const refs = [...(pastPlan?.nodes.values() ?? [])].flatMap(({ dependsOn }) => dependsOn);
    const names = refs.filter((ref) => ref.includes('/')).map((ref) => ref.split('/')[0]?.toLowerCase() ?? '');
    return [...new Set(names)].filter((name) => name !== slug.toLowerCase()).sort();
  }, [pastPlan, slug]);
  const histories = useQueries({ queries: plans.map(historyQuery) });
  const read = histories.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is a new list each time with the same histories in it
  return useMemo(
    () => new Map(plans.flatMap((plan, index) => (read[index] ? [[plan, pastPlanAt(read[index], at)]] : []))),
    [plans, at, ...read],
  );
}
