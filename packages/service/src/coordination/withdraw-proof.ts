import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import { nodeKey, nodeRef, streams } from '../kernel/streams.ts';
import type { WithdrawnProof } from '../run-contract/declarations.ts';
import { type ObservedNode, observeEvidence } from './evidence/decide.ts';
import type { EvidenceEvent } from './evidence/events.ts';
import { decidedBy, type Evidence, type Proof, proofOf, withdrawnEvidence } from './evidence/node-evidence.ts';
import { observeSuite, type SuiteProof } from './evidence/suite.ts';
import { effectiveBinding } from './plans/binding.ts';
import type { RunSource } from './runs/ports.ts';
import type { WorkContext } from './work/work-context.ts';

type WithdrawContext = Pick<WorkContext, 'log' | 'workState'> & { runs: Pick<RunSource, 'get' | 'list' | 'eject'> };

/**
 * Withdraws the proof by a run: its nodes are evaluated by the remaining runs, and the run is ejected. The proof is
 * withdrawn first, so a crash in between leaves a run that proves nothing.
 */
export async function withdrawProof(
  { log, workState, runs }: WithdrawContext,
  suiteProof: SuiteProof,
  { runId: given, by, dryRun }: { runId: string; by: string; dryRun: boolean },
): Promise<WithdrawnProof | Refusal> {
  const runId = given.toLowerCase();
  const run = await runs.get(runId);
  if (run?.state === 'running')
    return refuse('run_live', `The run ${runId} is still live. Withdraw it once it has ended.`);
  const relying = nodesDecidedBy(workState, runId);
  if (!run && relying.length === 0)
    return refuse('run_not_found', `Unknown run ${runId}, and no node relies on it. GET /api/runs lists the runs.`);

  const runsLeft = (await runs.list()).runs.filter((one) => one.runId !== runId && one.state !== 'unreadable');
  const decide = (at: string) =>
    nodesDecidedBy(workState, runId).flatMap(({ plan, node, vertex }) => {
      const ref = { plan: plan.slug, node: node.id };
      const evidence = workState.evidenceOf(vertex) ?? undefined;
      const binding = node.binding && effectiveBinding(node.binding, nodeRef(plan.slug, node.id));
      const repository = node.repository ?? plan.repository;
      const decided = withdrawEvidence({ ref, binding, evidence, repository }, { runId, by, at }, runsLeft, suiteProof);
      return decided ? [{ ...decided, ref, wasDone: workState.progress.isDone(vertex) }] : [];
    });
  const answerOf = (decisions: ReturnType<typeof decide>): WithdrawnProof => ({
    runId,
    reopened: decisions.flatMap(({ ref, wasDone, proof }) =>
      wasDone && proof !== 'done' ? [nodeRef(ref.plan, ref.node)] : [],
    ),
  });
  if (dryRun) return answerOf(decide(log.now()));
  const withdrawn = await log.commit((at) => {
    const decisions = decide(at);
    const append = decisions.map(({ ref, events }) => ({
      stream: streams.evidence(nodeKey(ref.plan, ref.node)),
      topic: streams.plan(ref.plan),
      events: events.map((event) =>
        event.type === 'evidence_observed'
          ? ({ ...event, by: 'observer:suite', provenance: 'observed' } as const)
          : ({ ...event, by, provenance: 'asserted' } as const),
      ),
    }));
    const answer = answerOf(decisions);
    return { append, reads: decisions.map(({ ref }) => streams.plan(ref.plan)), answer: () => answer };
  });
  if (isRefusal(withdrawn)) return withdrawn;
  const ejected = run ? await runs.eject(runId, by) : {};
  return isRefusal(ejected) ? ejected : withdrawn;
}

/** Includes archived plans, so that a restored plan is not done because of a withdrawn proof. */
function nodesDecidedBy(workState: WithdrawContext['workState'], runId: string) {
  return [...workState.plans.all()].flatMap((plan) =>
    [...plan.nodes.values()].flatMap((node) => {
      const vertex = workState.find(plan.slug, node.id);
      const decides =
        vertex !== undefined && node.binding?.kind === 'suite' && decidedBy(workState.evidenceOf(vertex) ?? undefined);
      return decides === runId && vertex !== undefined ? [{ plan, node, vertex }] : [];
    }),
  );
}

export type Withdrawal = { runId: string; by: string; at: string };

/**
 * Withdraws the verdict of a run on a node and evaluates the node by the remaining runs. Undefined if the evidence
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
