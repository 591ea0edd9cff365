import type { RunSummary } from '../runs/contract.ts';
import type { RunSource } from '../runs/ports.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from './ports.ts';
import { isRunOfSuite, observeSuite, type SuiteProof } from './suite.ts';

/**
 * Suites are observed through the runs that the console knows, in process or over the wire. Where the evidence is `shared`
 * another host may read a console that is not read here: a run that was never known here is not missed here.
 */
export function createSuiteObserver(
  runs: Pick<RunSource, 'list' | 'ejectedBy'>,
  shared: boolean,
  proof: SuiteProof = 'local',
): EvidenceObserver {
  const lastKnownRuns = new Map<string, string>();
  const isMissed = ({ ref, settledBy }: EvidenceTarget): boolean =>
    !shared || (settledBy !== null && lastKnownRuns.get(keyOf(ref)) === settledBy.runId);
  return {
    kinds: ['suite'],
    async observe(targets) {
      const { runs: listed, ageMs } = await runs.list();
      const allRuns = listed.filter(({ state }) => state !== 'unreadable');
      // After a start the publishers' own figures stand for what is not counted yet; they prove nothing.
      const uncounted = allRuns.filter(({ counted }) => counted === false);
      const knownRunIds = new Set(allRuns.map(({ runId }) => runId));
      for (const { ref, settledBy } of shared ? targets : []) {
        if (settledBy && knownRunIds.has(settledBy.runId)) lastKnownRuns.set(keyOf(ref), settledBy.runId);
      }
      const ageText = ageMs === null ? '' : ` (the console was last heard ${Math.round(ageMs / 1000)} s ago)`;
      const observations: TargetObservation[] = [];
      for (const target of targets) {
        const { settledBy, binding, repository } = target;
        const suite = binding.kind === 'suite' ? binding : null;
        if (suite && uncounted.some((run) => isRunOfSuite(suite, repository, run, proof))) continue;
        const isGone = settledBy !== null && !knownRunIds.has(settledBy.runId);
        const ejectedBy = isGone ? await runs.ejectedBy(settledBy.runId) : null;
        observations.push(
          ...observationsOf(target, allRuns, { isMissed: isMissed(target), ageText, ejectedBy, proof }),
        );
      }
      return observations;
    },
  };
}

const keyOf = ({ plan, node }: EvidenceTarget['ref']): string => `${plan}/${node}`.toLowerCase();

type SuiteLook = { isMissed: boolean; ageText: string; ejectedBy: string | null; proof: SuiteProof };

/** No matching run is no observation: a run that a policy took off the board leaves the last evidence standing. */
function observationsOf(
  target: EvidenceTarget,
  runs: readonly RunSummary[],
  { isMissed, ageText, ejectedBy, proof }: SuiteLook,
): TargetObservation[] {
  const { binding, repository, settledBy, observedBefore: seenBefore } = target;
  const observation =
    binding.kind === 'suite'
      ? observeSuite({ suite: binding, repository, settledBy, ejectedBy, proof }, runs)
      : undefined;
  if (observation) return [{ target, observation }];
  const missed = `its last run is no longer on the board, or is unreadable; the last evidence is kept${ageText}`;
  return seenBefore ? [unobservable(target, isMissed ? missed : null)] : [];
}
