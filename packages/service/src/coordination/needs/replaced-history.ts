import type { NodeKey } from '../../kernel/streams.ts';
import type { TokenProjection } from '../access/token-projection.ts';
import type { ReplacedHistory } from '../hosts/contract.ts';
import { verticesOf } from '../work/summary.ts';
import type { WorkState } from '../work/work-state.ts';

/** The names of things that a person would miss; for a claim, its node and fence. */
type Census = {
  tokens: ReadonlySet<string>;
  nodes: ReadonlySet<NodeKey>;
  signOffs: ReadonlySet<NodeKey>;
  claims: ReadonlyMap<NodeKey, number>;
};

/** The names of things that are missing since a history was replaced, so that they can be recovered. */
export type MissingHistory = Pick<ReplacedHistory, 'at' | 'events'> & { missing: Census };

/** Archived plans are left out, because moving them out of the log also replaces its history. */
export function censusOf(workState: WorkState, tokens: TokenProjection): Census {
  const { plans, claims, evidence } = workState;
  const active = [...plans.all()].filter(({ archivedAt }) => archivedAt === null);
  const keys = active.flatMap((plan) => verticesOf(workState, plan)).map((vertex) => workState.keyOf(vertex));
  return {
    tokens: new Set(tokens.all().map(({ name }) => name)),
    nodes: new Set(keys),
    signOffs: new Set(keys.filter((key) => evidence.of(key)?.state === 'signed')),
    claims: new Map([...claims.open()].map((key) => [key, claims.of(key).fence])),
  };
}

/**
 * Everything that was in the earlier history, or was missing before, and is not in the newly read history. Null if
 * nothing is missing: the history is the same, lost only archived plans, or is the right one again after a mistaken
 * restore.
 */
export function missingNow(
  earlier: MissingHistory | null,
  before: Census,
  { workState, tokens, ...found }: { workState: WorkState; tokens: TokenProjection; at: string; events: number },
): MissingHistory | null {
  const lost = missingIn(before, workState, tokens, found.at);
  if (sizeOf(lost) > 0) return { ...found, missing: earlier ? join(lost, missingOf(earlier)) : lost };
  const still = earlier && missingOf(earlier);
  return still && sizeOf(still) > 0 ? { ...earlier, missing: still } : null;

  function missingOf({ missing }: MissingHistory): Census {
    return missingIn(missing, workState, tokens, found.at);
  }
}

export const describeMissing = ({ at, events, missing }: MissingHistory): ReplacedHistory => ({
  at,
  events,
  tokens: missing.tokens.size,
  signOffs: missing.signOffs.size,
  nodes: missing.nodes.size,
  claims: missing.claims.size,
});

/** Things that have ended in the current history do not count as missing. */
function missingIn(census: Census, workState: WorkState, tokens: TokenProjection, now: string): Census {
  const known = censusOf(workState, tokens);
  const without = <Name extends string>(names: ReadonlySet<Name>, isKnown: (name: Name) => boolean) =>
    new Set([...names].filter((name) => !isKnown(name)));
  return {
    tokens: without(census.tokens, (name) => known.tokens.has(name) || tokens.endOf(name, now)?.how === 'revoked'),
    nodes: without(census.nodes, (key) => known.nodes.has(key)),
    signOffs: without(census.signOffs, (key) => known.signOffs.has(key)),
    claims: new Map([...census.claims].filter(([key, fence]) => workState.claims.of(key).fence < fence)),
  };
}

const join = (one: Census, other: Census): Census => ({
  tokens: new Set([...one.tokens, ...other.tokens]),
  nodes: new Set([...one.nodes, ...other.nodes]),
  signOffs: new Set([...one.signOffs, ...other.signOffs]),
  claims: new Map([...other.claims, ...one.claims]),
});

const sizeOf = (census: Census): number => Object.values(census).reduce((sum, { size }) => sum + size, 0);
