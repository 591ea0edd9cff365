import type { Board, PlanSummary } from '../../live/wire.ts';

export type Attention = { stalled: number; orphaned: number };
export const noAttention: Attention = { stalled: 0, orphaned: 0 };

/** Claims in trouble by plan, from the board. */
export function attentionByPlan(board: Board | undefined): ReadonlyMap<string, Attention> {
  const byPlan = new Map<string, Attention>();
  for (const { plan, health } of board?.sessions.flatMap(({ claims }) => claims) ?? []) {
    if (health !== 'stalled' && health !== 'orphaned') continue;
    const key = plan.toLowerCase();
    const before = byPlan.get(key) ?? noAttention;
    byPlan.set(key, { ...before, [health]: before[health] + 1 });
  }
  return byPlan;
}

/** Plans in trouble first, then unfinished, then finished ones; otherwise in the service's order. */
export function byAttention(
  plans: readonly PlanSummary[],
  attention: ReadonlyMap<string, Attention>,
): readonly PlanSummary[] {
  const weight = (plan: PlanSummary) => {
    const { stalled, orphaned } = attention.get(plan.slug.toLowerCase()) ?? noAttention;
    if (orphaned + plan.counts.failed > 0) return 0;
    if (stalled > 0) return 1;
    if (plan.counts.done === plan.nodes) return 3;
    return 2;
  };
  return plans
    .map((plan, index) => ({ plan, index, weight: weight(plan) }))
    .sort((a, b) => a.weight - b.weight || a.index - b.index)
    .map(({ plan }) => plan);
}
