import type { RunSummary } from '../runs/contract.ts';
import type { RunSource } from '../runs/ports.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from './ports.ts';
import { observeSuite } from './suite.ts';

/**
 * Suites are observed through the runs that the console knows, in process or over the wire. Where the evidence is `shared`
 * another host may read a console that is not read here: a run that was never known here is not missed here.
 */
export function createSuiteObserver(runs: Pick<RunSource, 'list'>, shared: boolean): EvidenceObserver {
  const lastKnownRuns = new Map<string, string>();
  const isMissed = ({ ref, settledBy }: EvidenceTarget): boolean =>
    !shared || (settledBy !== null && lastKnownRuns.get(keyOf(ref)) === settledBy.runId);
  return {
    kinds: ['suite'],
    async observe(targets) {
      const { runs: allRuns, ageMs } = await runs.list();
      // Right after a start the publishers' own figures stand for what is not counted yet; they prove nothing.
      if (allRuns.some(({ counted }) => counted === false)) return [];
      const knownRunIds = new Set(allRuns.map(({ runId }) => runId));
      for (const { ref, settledBy } of shared ? targets : []) {
        if (settledBy && knownRunIds.has(settledBy.runId)) lastKnownRuns.set(keyOf(ref), settledBy.runId);
      }
      const ageText = ageMs === null ? '' : ` (the console was last heard ${Math.round(ageMs / 1000)} s ago)`;
      return targets.flatMap((target) => observationsOf(target, allRuns, isMissed(target), ageText));
    },
  };
}

const keyOf = ({ plan, node }: EvidenceTarget['ref']): string => `${plan}/${node}`.toLowerCase();

/** No matching run is no observation: ejecting or ageing out a run leaves the last evidence standing. */
function observationsOf(
  target: EvidenceTarget,
  runs: readonly RunSummary[],
  isMissed: boolean,
  ageText: string,
): TargetObservation[] {
  const { binding, repository, settledBy, observedBefore: seenBefore } = target;
  const observation = binding.kind === 'suite' ? observeSuite(binding, repository, runs, settledBy) : undefined;
  if (observation) return [{ target, observation }];
  const missed = `its last run is no longer on the board; what it said still stands${ageText}`;
  return seenBefore ? [unobservable(target, isMissed ? missed : null)] : [];
}
