import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { historyQuery, usePlanHistory } from '../../../live/queries.ts';
import type { HistoryEntry, NodeView } from '../../../live/wire.ts';
import { useParam } from '../../../ui/search-params.ts';
import { nodesAt } from './moment.ts';
import { type Picture, pictureAfter, pictureAt } from './replay.ts';

export type Past = {
  entries: readonly HistoryEntry[];
  /** After how many events the plan is shown. */
  count: number;
  nodes: readonly NodeView[];
  show: (count: number | null) => void;
};

/** The plan at the moment that the address names as `at`; null is now. */
export function usePast(slug: string): { past: Past | null; open: () => void } {
  const [atText, setAt] = useParam('at');
  const isOpen = atText !== null;
  const entries = usePlanHistory(slug, isOpen).data;
  const count = Math.max(1, Math.min(entries?.length ?? 1, Number(atText) || 1));
  const picture = useMemo(() => (entries && isOpen ? pictureAfter(entries, count) : null), [entries, isOpen, count]);
  const at = entries?.[count - 1]?.at ?? '';
  const others = usePicturesElsewhere(slug, picture, at);
  const nodes = useMemo(() => {
    if (!picture) return [];
    const elsewhere = (ref: string) => {
      const [plan = '', id = ''] = ref.toLowerCase().split('/');
      const other = others.get(plan);
      return { done: other?.proofOf(id) === 'done', missing: other ? !other.nodes.has(id) : false };
    };
    return nodesAt(slug, picture, at, elsewhere);
  }, [slug, picture, at, others]);
  const show = (to: number | null) => setAt(to === null ? null : String(to));
  return {
    past: isOpen && entries ? { entries, count, nodes, show } : null,
    open: () => setAt(String(entries?.length ?? Number.MAX_SAFE_INTEGER)),
  };
}

/** Other plans that this one waits for, as they stood at the same instant. */
function usePicturesElsewhere(slug: string, picture: Picture | null, at: string): ReadonlyMap<string, Picture> {
  const plans = useMemo(() => {
    const refs = [...(picture?.nodes.values() ?? [])].flatMap(({ dependsOn }) => dependsOn);
    const names = refs.filter((ref) => ref.includes('/')).map((ref) => ref.split('/')[0]?.toLowerCase() ?? '');
    return [...new Set(names)].filter((name) => name !== slug.toLowerCase()).sort();
  }, [picture, slug]);
  const histories = useQueries({ queries: plans.map(historyQuery) });
  const read = histories.map(({ data }) => data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is a new list each time with the same histories in it
  return useMemo(
    () => new Map(plans.flatMap((plan, index) => (read[index] ? [[plan, pictureAt(read[index], at)]] : []))),
    [plans, at, ...read],
  );
}
