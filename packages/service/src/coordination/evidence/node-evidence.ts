import type { Binding } from '../plans/binding.ts';
import type { EvidenceState, EvidenceView } from './contract.ts';
import type { EndedRun } from './events.ts';

/** What is known of a node's proof. `settled` is the last state that was not a live run, `settledBy` the run that said so. */
export type Evidence = EvidenceView & { settled: EvidenceState; settledBy: EndedRun | null };

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

/** A done node stays done while a new run of its suite is live; a failed one is running again. */
export function proofOf(evidence: Evidence | null): Proof {
  if (evidence === null) return 'open';
  if (doneStates.has(evidence.settled)) return 'done';
  if (evidence.state === 'running') return 'running';
  return failedStates.has(evidence.state) ? 'failed' : 'open';
}

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
