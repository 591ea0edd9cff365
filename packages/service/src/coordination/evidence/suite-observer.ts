import type { RunSummary } from '../runs/contract.ts';
import type { Runs } from '../runs/ports.ts';
import { blind, type Observer, type Seen, type Target } from './ports.ts';
import { observeSuite } from './suite.ts';

/**
 * Suites are observed through the runs that the console knows, in process or over the wire. Where the evidence is `shared`
 * another host may read a console that is not read here: a run that was never known here is not missed here.
 */
export function createSuiteObserver(runs: Pick<Runs, 'known'>, shared: boolean): Observer {
  const knewOf = new Map<string, string>();
  const isMissed = ({ ref, settledBy }: Target): boolean =>
    !shared || (settledBy !== null && knewOf.get(keyOf(ref)) === settledBy.runId);
  return {
    kinds: ['suite'],
    async look(targets) {
      const { runs: known, ageMs } = await runs.known();
      // Right after a start the publishers' own figures stand for what is not counted yet; they prove nothing.
      if (known.some(({ counted }) => counted === false)) return [];
      const here = new Set(known.map(({ runId }) => runId));
      for (const { ref, settledBy } of shared ? targets : []) {
        if (settledBy && here.has(settledBy.runId)) knewOf.set(keyOf(ref), settledBy.runId);
      }
      const away = ageMs === null ? '' : ` (the console was last heard ${Math.round(ageMs / 1000)} s ago)`;
      return targets.flatMap((target) => seenBy(target, known, isMissed(target), away));
    },
  };
}

const keyOf = ({ plan, node }: Target['ref']): string => `${plan}/${node}`.toLowerCase();

/** No matching run is no observation: ejecting or ageing out a run leaves the last evidence standing. */
function seenBy(target: Target, known: readonly RunSummary[], isMissed: boolean, away: string): Seen[] {
  const { binding, repository, settledBy, seenBefore } = target;
  const observation = binding.kind === 'suite' ? observeSuite(binding, repository, known, settledBy) : undefined;
  if (observation) return [{ target, observation }];
  const missed = `its last run is no longer on the board; what it said still stands${away}`;
  return seenBefore ? [blind(target, isMissed ? missed : null)] : [];
}
