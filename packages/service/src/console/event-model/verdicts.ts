import type { TypeRef } from './contract.ts';
import { shortName } from './descriptor.ts';
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
  /** Takes a fact in; true when it changed what is newest. In any order, any number of times. */
  fold(fact: FinishedFact): boolean;
};

type Event = { type: string; uid?: unknown; outcome?: unknown; at?: unknown; touchedTypes?: unknown };

/** The facts among a run's monitor events, which come as leniently as they are taken in. */
export function factsOf(runId: string, events: readonly object[], arrivedAt: string): FinishedFact[] {
  const facts: FinishedFact[] = [];
  for (const event of events) {
    const { type, uid, outcome, at, touchedTypes: types } = event as Event;
    if (type !== 'scenario_finished' || typeof uid !== 'string' || typeof outcome !== 'string') continue;
    const touchedTypes = Array.isArray(types) ? typesIn(types) : null;
    facts.push({ runId, uid, outcome, at: typeof at === 'string' ? at : null, arrivedAt, touchedTypes });
  }
  return facts;
}

function typesIn(given: readonly unknown[]): TypeRef[] {
  return (given as ReadonlyArray<Partial<Record<keyof TypeRef, unknown>> | null>).flatMap((touched) => {
    const text = (member: keyof TypeRef) => (typeof touched?.[member] === 'string' ? touched[member] : '');
    const fullName = text('fullName') || text('name');
    if (fullName === '') return [];
    return [{ name: text('name') || shortName(fullName), fullName, assemblyName: text('assemblyName') }];
  });
}

const verdictWords: ReadonlySet<string> = new Set(outcomes);
const isVerdict = (outcome: string): outcome is Outcome => verdictWords.has(outcome);

/** Nothing is ever taken out of it: losing sight of a run is no observation. `kept` may tell of one scenario often. */
export function createVerdictLedger(kept: Iterable<Verdict> = []): VerdictLedger {
  const byIdentity = new Map<string, Verdict>();
  for (const verdict of kept) {
    const before = byIdentity.get(verdict.identity);
    if (!before || !isNewer(before, verdict)) byIdentity.set(verdict.identity, verdict);
  }
  return {
    newest: (identity) => byIdentity.get(identity),
    all: () => byIdentity.values(),
    fold({ runId, uid, outcome, at, arrivedAt, touchedTypes }) {
      if (!isVerdict(outcome)) return false;
      const before = byIdentity.get(uid);
      // What is kept is in UTC: the same text is the same instant, and need not be read.
      const instant = before && before.at === at ? at : (utc(at) ?? utc(arrivedAt) ?? arrivedAt);
      const verdict = { identity: uid, outcome, at: instant, runId, touchedTypes: touchedTypes ?? null };
      if (before && (isSame(before, verdict) || isNewer(before, verdict))) return false;
      byIdentity.set(uid, verdict);
      return true;
    },
  };
}

/** The newest of both; `elsewhere` is what other consoles have seen. */
export function newestOfBoth(own: Verdicts, elsewhere: Verdicts): Verdicts {
  const better = (a: Verdict | undefined, b: Verdict | undefined) => (a && (!b || !isNewer(b, a)) ? a : b);
  return {
    newest: (identity) => better(own.newest(identity), elsewhere.newest(identity)),
    *all() {
      for (const verdict of own.all()) yield better(verdict, elsewhere.newest(verdict.identity)) ?? verdict;
      for (const verdict of elsewhere.all()) if (!own.newest(verdict.identity)) yield verdict;
    },
  };
}

/** Of two verdicts of one instant the choice must not hang on which is folded first. */
const isNewer = (a: Verdict, b: Verdict): boolean => (order(a.at, b.at) || order(a.runId, b.runId)) > 0;

/** A batch that is sent again tells nothing new. */
const isSame = (a: Verdict, b: Verdict): boolean =>
  a.at === b.at && a.runId === b.runId && a.outcome === b.outcome && a.touchedTypes?.length === b.touchedTypes?.length;

/** What the run console has read already. A day that not every month has is left to the parser. */
const isUtc = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Instants with different offsets only compare as text once they are in UTC. */
function utc(text: string | null | undefined): string | null {
  if (text && isUtc.test(text)) return text;
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
