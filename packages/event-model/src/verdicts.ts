import { z } from 'zod';
import { isObject } from '../../service/src/kernel/is-object.ts';
import { type TypeRef, typeRef } from './contract.ts';
import { shortName } from './descriptor.ts';
import { order } from './types.ts';
import { isVerdictOutcome, type VerdictOutcome, verdictOutcomes } from './vocabulary.ts';

/** The outcome of one scenario: `identity` is its uid, `touchedTypes` is null if they were not measured. */
export type Verdict = {
  identity: string;
  outcome: VerdictOutcome;
  at: string;
  runId: string;
  /** When its run arrived. Missing in verdicts of versions that did not record it. */
  receivedAt?: string | undefined;
  touchedTypes: readonly TypeRef[] | null;
};

/** The newest verdict of every scenario, over all runs that the console has received, ejected ones included. */
export type Verdicts = {
  newest(identity: string): Verdict | undefined;
  all(): Iterable<Verdict>;
};

/** Keeps the newest verdicts, so that they outlive the archives of their runs and a start need not read those. */
export type VerdictStore = {
  /** The stored verdicts, the latest change last. */
  load(): Iterable<Verdict>;
  /** Replaces the verdict of its scenario. */
  put(verdict: Verdict): void;
  drop(identity: string): void;
};

const storedVerdict = z.object({
  identity: z.string(),
  outcome: z.enum(verdictOutcomes),
  at: z.string(),
  runId: z.string(),
  receivedAt: z.string().optional(),
  touchedTypes: z.array(typeRef).nullable(),
});

/** Null if the text is not a stored verdict. */
export function readVerdict(text: string): Verdict | null {
  try {
    return storedVerdict.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A `scenario_finished` event, and when it arrived. */
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
  /** True if it changed the newest verdict. The order and number of calls do not matter. */
  fold(finished: FinishedScenario): boolean;
  /** Adds a stored verdict, unless a newer one of its scenario is known. */
  load(verdict: Verdict): void;
};

/** The finished scenarios among the events of a run. Events are not validated yet: malformed ones are skipped. */
export function finishedScenariosIn(
  runId: string,
  events: readonly Readonly<Record<string, unknown>>[],
  arrivedAt: string,
  receivedAt?: string,
): FinishedScenario[] {
  const finished: FinishedScenario[] = [];
  for (const { type, uid, outcome, at, touchedTypes: types } of events) {
    if (type !== 'scenario_finished' || typeof uid !== 'string' || typeof outcome !== 'string') continue;
    const touchedTypes = Array.isArray(types) ? typesIn(types) : null;
    finished.push({ runId, uid, outcome, at: typeof at === 'string' ? at : null, arrivedAt, receivedAt, touchedTypes });
  }
  return finished;
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

/** Approximate memory of a verdict and of a type in it, without their texts. */
const fixedBytes = { verdict: 250, type: 150 };

const bytesOf = ({ identity, runId, touchedTypes }: Verdict): number =>
  (touchedTypes ?? []).reduce(
    (sum, { name, fullName, assemblyName }) =>
      sum + fixedBytes.type + name.length + fullName.length + assemblyName.length,
    fixedBytes.verdict + identity.length + runId.length,
  );

/** Beyond `maxBytes`, only the verdicts that changed last are kept; `dropped` is called for each of the others. */
export function createLatestVerdicts(
  maxBytes = Number.POSITIVE_INFINITY,
  dropped: (identity: string) => void = () => undefined,
): LatestVerdicts {
  /** The verdicts in the order of their last change. */
  const byIdentity = new Map<string, Verdict>();
  let heldBytes = 0;
  const drop = (verdict: Verdict) => {
    byIdentity.delete(verdict.identity);
    heldBytes -= bytesOf(verdict);
  };
  const set = (before: Verdict | undefined, verdict: Verdict) => {
    if (before) drop(before);
    byIdentity.set(verdict.identity, verdict);
    heldBytes += bytesOf(verdict);
    for (const oldest of byIdentity.values()) {
      if (heldBytes <= maxBytes) break;
      drop(oldest);
      dropped(oldest.identity);
    }
  };
  return {
    newest: (identity) => byIdentity.get(identity),
    all: () => byIdentity.values(),
    load(verdict) {
      const before = byIdentity.get(verdict.identity);
      if (!before || !isNewer(before, verdict)) set(before, verdict);
    },
    fold({ runId, uid, outcome, at, arrivedAt, receivedAt, touchedTypes }) {
      if (!isVerdictOutcome(outcome)) return false;
      const before = byIdentity.get(uid);
      // Stored instants are in UTC, so the same text is the same instant and need not be parsed.
      const instant = before && before.at === at ? at : (utc(at) ?? utc(arrivedAt) ?? arrivedAt);
      const verdict = { identity: uid, outcome, at: instant, runId, receivedAt, touchedTypes: touchedTypes ?? null };
      if (before && (isSame(before, verdict) || isNewer(before, verdict))) return false;
      set(before, verdict);
      return true;
    },
  };
}

/** The newer verdict of this console and of the other consoles. */
export function newestOfBoth(own: Verdicts, others: Verdicts): Verdicts {
  const newer = (a: Verdict | undefined, b: Verdict | undefined) => (a && (!b || !isNewer(b, a)) ? a : b);
  return {
    newest: (identity) => newer(own.newest(identity), others.newest(identity)),
    *all() {
      for (const verdict of own.all()) yield newer(verdict, others.newest(verdict.identity)) ?? verdict;
      for (const verdict of others.all()) if (!own.newest(verdict.identity)) yield verdict;
    },
  };
}

/**
 * Between runs, the run received later is newer; within a run, the later verdict. Ties are broken by run id, so that the
 * result does not depend on the order of folding.
 */
export const isNewer = (a: OrderedVerdict, b: OrderedVerdict): boolean =>
  (order(a.receivedAt ?? a.at, b.receivedAt ?? b.at) || order(a.runId, b.runId) || order(a.at, b.at)) > 0;

type OrderedVerdict = Pick<Verdict, 'at' | 'runId' | 'receivedAt'>;

/** A batch that is sent again changes nothing. */
const isSame = (a: Verdict, b: Verdict): boolean =>
  a.at === b.at && a.runId === b.runId && a.outcome === b.outcome && a.touchedTypes?.length === b.touchedTypes?.length;

/** The form that the run console writes. Days that do not exist in every month are left to the parser. */
const isUtc = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Instants in UTC can be compared as text. */
function utc(text: string | null | undefined): string | null {
  if (text && isUtc.test(text)) return text;
  const ms = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The verdicts that another console shares, by the identity of the scenario. */
type SharedVerdicts = { verdict: ReadonlyMap<string, object> };

/** The newest verdicts of all other consoles. Those that this version cannot read are skipped. */
export function newestShared(consoles: () => Iterable<SharedVerdicts>): Verdicts {
  const newest = (identity: string): Verdict | undefined => {
    let best: Verdict | undefined;
    for (const { verdict } of consoles()) {
      const shared = verdict.get(identity);
      if (shared && isVerdict(shared) && (!best || isNewer(shared, best))) best = shared;
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
