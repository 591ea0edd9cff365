import type { RunSummary } from '../runs/contract.ts';
import type { RunSource } from '../runs/ports.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from './ports.ts';
import { isRunOfSuite, observeSuite, type SuiteProof } from './suite.ts';

/**
 * Suites are observed through the runs that the console knows, in process or over the wire. If the evidence is `shared`,
 * another host may read a console that this host does not read, so a run that was never known here is not reported as missing.
 */
export function createSuiteObserver(
  runs: Pick<RunSource, 'list'>,
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
      const board = new BoardOfSuites(listed.filter(({ state }) => state !== 'unreadable'));
      for (const { ref, settledBy } of shared ? targets : []) {
        if (settledBy && board.has(settledBy.runId)) lastKnownRuns.set(keyOf(ref), settledBy.runId);
      }
      const ageText = ageMs === null ? '' : ` (the console last answered ${Math.round(ageMs / 1000)} s ago)`;
      return targets.flatMap((target): TargetObservation[] => {
        const { binding, observedBefore: seenBefore } = target;
        if (binding.kind !== 'suite') return [];
        const candidates = board.candidatesFor(binding);
        // After a start an older console returns the publishers' figures for runs that it has not counted yet; they prove nothing.
        const isOfTarget = (run: RunSummary) => isRunOfSuite(binding, target.repository, run, proof);
        if (candidates.some((run) => run.counted === false && isOfTarget(run))) return [];
        const observation = observeSuite({ ...target, suite: binding, proof }, candidates, board.has);
        if (observation) return [{ target, observation }];
        // Without a matching run nothing was observed: the last evidence is kept after its run left the board.
        return seenBefore ? [unobservable(target, isMissed(target) ? `${missed}${ageText}` : null)] : [];
      });
    },
  };
}

const missed = 'its last run is no longer on the board, or is unreadable; the last evidence is kept';

const keyOf = ({ plan, node }: EvidenceTarget['ref']): string => `${plan}/${node}`.toLowerCase();

/** The runs by what a binding names, so that a node is compared with the runs of its suite alone. */
class BoardOfSuites {
  readonly #all: readonly RunSummary[];
  readonly #ids: ReadonlySet<string>;
  readonly #byTag: ReadonlyMap<string, RunSummary[]>;
  readonly #bySuite: ReadonlyMap<string, RunSummary[]>;

  constructor(all: readonly RunSummary[]) {
    this.#all = all;
    this.#ids = new Set(all.map(({ runId }) => runId));
    this.#byTag = groupedBy(all, ({ tag }) => tag?.toLowerCase() ?? '');
    this.#bySuite = groupedBy(all, ({ suite }) => suite.toLowerCase());
  }

  readonly has = (runId: string): boolean => this.#ids.has(runId);

  candidatesFor({ tag, suite }: { tag?: string | undefined; suite?: string | undefined }): readonly RunSummary[] {
    if (tag !== undefined) return this.#byTag.get(tag.toLowerCase()) ?? [];
    return suite === undefined ? this.#all : (this.#bySuite.get(suite.toLowerCase()) ?? []);
  }
}

function groupedBy(runs: readonly RunSummary[], nameOf: (run: RunSummary) => string): Map<string, RunSummary[]> {
  const groups = new Map<string, RunSummary[]>();
  for (const run of runs) {
    const name = nameOf(run);
    const group = groups.get(name);
    if (group) group.push(run);
    else groups.set(name, [run]);
  }
  return groups;
}
