import type { Binding } from '../plans/binding.ts';
import type { EvidenceState, EvidenceView } from './contract.ts';
import type { EndedRun } from './events.ts';

/**
 * The known state of a node's proof. `settled` is the last state that was not a live run, `settledBy` the run that
 * decided it.
 */
export type Evidence = EvidenceView & {
  settled: EvidenceState;
  settledBy: EndedRun | null;
  /** Runs whose proof a person withdrew; they no longer prove this node. */
  withdrawn?: readonly string[];
};

export type Proof = 'done' | 'running' | 'failed' | 'open';

const doneStates: ReadonlySet<EvidenceState> = new Set([
  'closed',
  'merged',
  'passed',
  'published',
  'taken',
  'committed',
  'signed',
]);
const failedStates: ReadonlySet<EvidenceState> = new Set(['closedUnmerged', 'failed', 'orphaned']);

/** The detail of a state that decides. */
export const proofOfState = (state: EvidenceState): Proof =>
  doneStates.has(state) ? 'done' : failedStates.has(state) ? 'failed' : state === 'running' ? 'running' : 'open';

/** A done node stays done while a new run of its suite is live; a failed one is running again. */
export function proofOf(evidence: Evidence | null): Proof {
  if (evidence === null) return 'open';
  if (doneStates.has(evidence.settled)) return 'done';
  if (evidence.state === 'running') return 'running';
  // A run with missing verdicts proves nothing, so the earlier evidence is kept.
  const decided = evidence.state === 'incomplete' ? evidence.settled : evidence.state;
  return failedStates.has(decided) ? 'failed' : 'open';
}

/** The run that the evidence relies on. Evidence of releases before 0.2 names only the run that it comes from. */
export function decidedBy(evidence: Evidence | undefined): string | null {
  if (evidence?.provenance !== 'observed') return null;
  const isUndecided = evidence.state === 'running' || evidence.state === 'incomplete';
  return evidence.settledBy?.runId ?? (isUndecided ? null : evidence.runId);
}

/** Nothing is proven from now on, until another run is seen. */
export const withdrawnEvidence = (
  runId: string,
  by: string,
  at: string,
  before: readonly string[] = [],
): Evidence & { withdrawn: readonly string[] } => ({
  state: 'open',
  settled: 'open',
  settledBy: null,
  detail: `${by} withdrew the proof by the run ${runId}`,
  url: null,
  runId: null,
  provenance: 'asserted',
  observedAt: at,
  withdrawn: [...before.filter((known) => known !== runId), runId].slice(-withdrawnAtMost),
});

const withdrawnAtMost = 100;

export function notYetObserved(binding: Binding): Evidence {
  const nothing = { url: null, runId: null, observedAt: null, settledBy: null };
  if (binding.kind !== 'signOff') {
    return {
      ...nothing,
      state: 'notObserved',
      settled: 'notObserved',
      detail: 'not observed yet',
      provenance: 'observed',
    };
  }
  const detail = binding.who === undefined ? 'nobody has signed off yet' : `${binding.who} has not signed off yet`;
  return { ...nothing, state: 'notSigned', settled: 'notSigned', detail, provenance: 'asserted' };
}
