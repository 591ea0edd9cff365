import type { TokenProjection } from '../access/token-projection.ts';
import { verticesOf } from '../work/summary.ts';
import type { WorkState } from '../work/work-state.ts';
import type { ReplacedHistory } from './host-needs.ts';

/** What a person would miss, by name. */
type Census = Record<'tokens' | 'nodes' | 'signOffs' | 'claims', ReadonlySet<string>>;

/** Archived plans are left out: moving them out of the log replaces its history, too. */
export function censusOf(workState: WorkState, tokens: TokenProjection): Census {
  const { plans, claims, evidence } = workState;
  const active = [...plans.all()].filter(({ archivedAt }) => archivedAt === null);
  const keys = active.flatMap((plan) => verticesOf(workState, plan)).map((vertex) => workState.keyOf(vertex));
  return {
    tokens: new Set(tokens.all().map(({ name }) => name)),
    nodes: new Set(keys),
    signOffs: new Set(keys.filter((key) => evidence.of(key)?.state === 'signed')),
    claims: new Set(claims.open()),
  };
}

/** Null where nothing is missing: the same history, or one that only lost what was archived. */
export function replacedHistory(
  before: Census,
  now: Census,
  { at, events }: Pick<ReplacedHistory, 'at' | 'events'>,
): ReplacedHistory | null {
  const lost = (kind: keyof Census) => [...before[kind]].filter((name) => !now[kind].has(name)).length;
  const counts = { tokens: lost('tokens'), nodes: lost('nodes'), signOffs: lost('signOffs'), claims: lost('claims') };
  return Object.values(counts).some((count) => count > 0) ? { at, events, ...counts } : null;
}
