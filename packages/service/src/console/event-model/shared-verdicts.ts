import { isNewer } from './latest-verdicts.ts';
import type { Verdict, Verdicts } from './ports.ts';
import { isVerdictOutcome } from './vocabulary.ts';

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
