import type { RunSummary } from '../../kernel/run-summary.ts';
import { type ObservedNode, observeEvidence } from './decide.ts';
import type { EvidenceEvent } from './events.ts';
import { decidedBy, type Evidence, type Proof, proofOf, withdrawnEvidence } from './node-evidence.ts';
import { observeSuite, type SuiteProof } from './suite.ts';

export type Withdrawal = { runId: string; by: string; at: string };

/**
 * Takes back what a run said of a node, and judges the node again by the runs that are left. Undefined where the evidence
 * does not rely on that run.
 */
export function withdrawEvidence(
  { ref, binding, evidence, repository }: ObservedNode & { repository: string | null },
  { runId, by, at }: Withdrawal,
  runsLeft: readonly RunSummary[],
  proof: SuiteProof,
): { events: EvidenceEvent[]; proof: Proof } | undefined {
  if (decidedBy(evidence) !== runId) return undefined;
  const withdrawn: EvidenceEvent = { type: 'evidence_withdrawn', data: { id: ref.node, runId } };
  const after = withdrawnEvidence(runId, by, at, evidence?.withdrawn);
  if (binding?.kind !== 'suite') return { events: [withdrawn], proof: proofOf(after) };
  const question = { suite: binding, repository, withdrawn: after.withdrawn, proof };
  const observation = observeSuite(question, runsLeft);
  const observed = observation && observeEvidence({ ref, binding, evidence: after }, binding, observation);
  if (observed?.type !== 'evidence_observed') return { events: [withdrawn], proof: proofOf(after) };
  const { to: state, settled } = observed.data;
  const judged: Evidence = { ...after, state, settled };
  return { events: [withdrawn, observed], proof: proofOf(judged) };
}
