import type { TypeRef } from './contract.ts';
import type { Verdict, Verdicts } from './ports.ts';
import { order } from './types.ts';
import { type Outcome, outcomes } from './words.ts';

/** What `scenario_finished` says of a scenario, and when it came in. */
export type FinishedFact = {
  runId: string;
  uid: string;
  outcome: string;
  at?: string | null | undefined;
  arrivedAt: string;
  touchedTypes?: readonly TypeRef[] | null | undefined;
};

export type VerdictLedger = Verdicts & {
  /** Takes a fact in; true when it is the newest of its scenario now. In any order, any number of times. */
  fold(fact: FinishedFact): boolean;
};

const verdictWords: ReadonlySet<string> = new Set(outcomes);
const isVerdict = (outcome: string): outcome is Outcome => verdictWords.has(outcome);

/** Nothing is ever taken out of it: losing sight of a run is no observation. */
export function createVerdictLedger(kept: Iterable<Verdict> = []): VerdictLedger {
  const byIdentity = new Map([...kept].map((verdict) => [verdict.identity, verdict]));
  return {
    newest: (identity) => byIdentity.get(identity),
    all: () => byIdentity.values(),
    fold({ runId, uid, outcome, at, arrivedAt, touchedTypes }) {
      if (!isVerdict(outcome)) return false;
      const instant = utc(at) ?? utc(arrivedAt) ?? arrivedAt;
      const verdict = { identity: uid, outcome, at: instant, runId, touchedTypes: touchedTypes ?? null };
      const before = byIdentity.get(uid);
      if (before && isNewer(before, verdict)) return false;
      byIdentity.set(uid, verdict);
      return true;
    },
  };
}

/** Of two verdicts of one instant the choice must not hang on which is folded first. */
const isNewer = (a: Verdict, b: Verdict): boolean => (order(a.at, b.at) || order(a.runId, b.runId)) > 0;

/** Instants with different offsets only compare as text once they are in UTC. */
function utc(text: string | null | undefined): string | null {
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
