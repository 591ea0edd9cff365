import type { TypeRef } from './contract.ts';
import { shortName } from './descriptor.ts';
import { order } from './types.ts';
import { isVerdictOutcome, type VerdictOutcome } from './vocabulary.ts';

/** The end of one scenario: `identity` is its uid. `touchedTypes` is null where nothing was measured. */
export type Verdict = {
  identity: string;
  outcome: VerdictOutcome;
  at: string;
  runId: string;
  /** When its run arrived; absent in what was kept before runs were stamped. */
  receivedAt?: string | undefined;
  touchedTypes: readonly TypeRef[] | null;
};

/** The newest verdict of every scenario over all runs that the console has ever seen, ejected ones included. */
export type Verdicts = {
  newest(identity: string): Verdict | undefined;
  all(): Iterable<Verdict>;
};

/** What `scenario_finished` says of a scenario, and when it came in. */
export type FinishedScenario = {
  runId: string;
  uid: string;
  outcome: string;
  at?: string | null | undefined;
  arrivedAt: string;
  /** When its run arrived. */
  receivedAt?: string | undefined;
  touchedTypes?: readonly TypeRef[] | null | undefined;
};

export type LatestVerdicts = Verdicts & {
  /** Takes a fact in; true when it changed what is newest. In any order, any number of times. */
  fold(fact: FinishedScenario): boolean;
  /** Takes a verdict in that was kept, and perhaps a newer one of its scenario. */
  load(verdict: Verdict): void;
  count(): number;
  /** How many had to go because there was no room. */
  forgotten(): number;
};

/** The facts among a run's monitor events, which come as leniently as they are taken in. */
export function finishedScenariosIn(
  runId: string,
  events: readonly Readonly<Record<string, unknown>>[],
  arrivedAt: string,
  receivedAt?: string,
): FinishedScenario[] {
  const facts: FinishedScenario[] = [];
  for (const { type, uid, outcome, at, touchedTypes: types } of events) {
    if (type !== 'scenario_finished' || typeof uid !== 'string' || typeof outcome !== 'string') continue;
    const touchedTypes = Array.isArray(types) ? typesIn(types) : null;
    facts.push({ runId, uid, outcome, at: typeof at === 'string' ? at : null, arrivedAt, receivedAt, touchedTypes });
  }
  return facts;
}

function typesIn(given: readonly unknown[]): TypeRef[] {
  return given.flatMap((touched) => {
    if (!isObject(touched)) return [];
    const text = (member: keyof TypeRef) => (typeof touched[member] === 'string' ? touched[member] : '');
    const fullName = text('fullName') || text('name');
    if (fullName === '') return [];
    return [{ name: text('name') || shortName(fullName), fullName, assemblyName: text('assemblyName') }];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** About what a verdict takes of the memory, without its texts, and a type in it. */
const bytes = { verdict: 250, type: 150 };

const bytesOf = ({ identity, runId, touchedTypes }: Verdict): number =>
  (touchedTypes ?? []).reduce(
    (sum, { name, fullName, assemblyName }) => sum + bytes.type + name.length + fullName.length + assemblyName.length,
    bytes.verdict + identity.length + runId.length,
  );

/** A deleted run takes no verdict with it. Where there is no room for all, those that changed last are kept. */
export function createLatestVerdicts(mostBytes = Number.POSITIVE_INFINITY): LatestVerdicts {
  /** The one that changed last stands last. */
  const byIdentity = new Map<string, Verdict>();
  let held = 0;
  let forgotten = 0;
  const drop = (verdict: Verdict) => {
    byIdentity.delete(verdict.identity);
    held -= bytesOf(verdict);
  };
  const set = (before: Verdict | undefined, verdict: Verdict) => {
    if (before) drop(before);
    byIdentity.set(verdict.identity, verdict);
    held += bytesOf(verdict);
    for (const oldest of byIdentity.values()) {
      if (held <= mostBytes) break;
      drop(oldest);
      forgotten += 1;
    }
  };
  return {
    newest: (identity) => byIdentity.get(identity),
    all: () => byIdentity.values(),
    count: () => byIdentity.size,
    forgotten: () => forgotten,
    load(verdict) {
      const before = byIdentity.get(verdict.identity);
      if (!before || !isNewer(before, verdict)) set(before, verdict);
    },
    fold({ runId, uid, outcome, at, arrivedAt, receivedAt, touchedTypes }) {
      if (!isVerdictOutcome(outcome)) return false;
      const before = byIdentity.get(uid);
      // What is kept is in UTC: the same text is the same instant, and need not be read.
      const instant = before && before.at === at ? at : (utc(at) ?? utc(arrivedAt) ?? arrivedAt);
      const verdict = { identity: uid, outcome, at: instant, runId, receivedAt, touchedTypes: touchedTypes ?? null };
      if (before && (isSame(before, verdict) || isNewer(before, verdict))) return false;
      set(before, verdict);
      return true;
    },
  };
}

/** The newer verdict of both; the second argument holds those of other consoles. */
export function newestOfBoth(own: Verdicts, others: Verdicts): Verdicts {
  const better = (a: Verdict | undefined, b: Verdict | undefined) => (a && (!b || !isNewer(b, a)) ? a : b);
  return {
    newest: (identity) => better(own.newest(identity), others.newest(identity)),
    *all() {
      for (const verdict of own.all()) yield better(verdict, others.newest(verdict.identity)) ?? verdict;
      for (const verdict of others.all()) if (!own.newest(verdict.identity)) yield verdict;
    },
  };
}

/**
 * Between runs the one received later is newer, within a run the verdict's own time. For two verdicts of one instant the
 * result must not depend on the order of folding.
 */
export const isNewer = (a: OrderedVerdict, b: OrderedVerdict): boolean =>
  (order(a.receivedAt ?? a.at, b.receivedAt ?? b.at) || order(a.runId, b.runId) || order(a.at, b.at)) > 0;

/** Verdicts from before runs were stamped have their own time only. */
type OrderedVerdict = Pick<Verdict, 'at' | 'runId' | 'receivedAt'>;

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

/** What another console shares of its verdicts, by the identity of the scenario. */
type SharedVerdicts = { verdict: ReadonlyMap<string, object> };

/** The newest verdicts of all other consoles. What one of another version shares and is none here is passed over. */
export function newestShared(consoles: () => Iterable<SharedVerdicts>): Verdicts {
  const newest = (identity: string): Verdict | undefined => {
    let best: Verdict | undefined;
    for (const { verdict } of consoles()) {
      const one = verdict.get(identity);
      if (one && isVerdict(one) && (!best || isNewer(one, best))) best = one;
    }
    return best;
  };
  return {
    newest,
    *all() {
      const yielded = new Set<string>();
      for (const { verdict } of consoles()) {
        for (const identity of verdict.keys()) {
          const best = yielded.has(identity) ? undefined : newest(identity);
          yielded.add(identity);
          if (best) yield best;
        }
      }
    },
  };
}

const isVerdict = (value: object): value is Verdict =>
  'identity' in value &&
  typeof value.identity === 'string' &&
  'at' in value &&
  typeof value.at === 'string' &&
  'runId' in value &&
  typeof value.runId === 'string' &&
  'outcome' in value &&
  isVerdictOutcome(value.outcome) &&
  'touchedTypes' in value &&
  (value.touchedTypes === null || Array.isArray(value.touchedTypes));
