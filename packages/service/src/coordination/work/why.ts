import { wantedProof } from '../evidence/wanted-proof.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { Status } from '../plans/contract.ts';
import { ago } from './ago.ts';
import { linkOf, type ViewContext } from './claim-session.ts';
import { describeTouch, describeUse, touchesMet, usesHeld } from './claimed-uses.ts';
import { parkedOf } from './parked.ts';
import type { WorkState } from './work-state.ts';

/** One line that explains the status of a node, or what it waits for. */
export function why(view: ViewContext, vertex: number, status: Status): string {
  const sentences = [
    describeStatus(view, vertex, status),
    describePassBy(view, vertex),
    describeTaken(view, vertex, status),
    describeProof(view, vertex, status),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function describeStatus(view: ViewContext, vertex: number, status: Status): string {
  const { workState } = view;
  switch (status) {
    case 'done': {
      const evidence = workState.evidenceOf(vertex);
      const isOfLaterRun = evidence?.state === 'running' || evidence?.state === 'incomplete';
      return `${isOfLaterRun ? 'Done by an earlier run;' : 'Done:'} ${evidence?.detail}.`;
    }
    case 'running':
      return 'A run of its suite is live.';
    case 'failed':
      return `Failed: ${workState.evidenceOf(vertex)?.detail}.${workState.progress.isReady(vertex) ? ' It is offered again.' : ` ${describeWaiting(view, vertex)}`}`;
    case 'claimed': {
      const held = describeHolder(view, vertex);
      return workState.progress.isBlocked(vertex) ? `${held} ${describeWaiting(view, vertex)}` : held;
    }
    case 'submitted':
      return `${describeSubmission(view, vertex)}.`;
    case 'blocked':
      return describeWaiting(view, vertex);
    case 'ready':
      return describeReady(workState.progress.leverage.recent(vertex));
  }
}

/** Says the same as the claim's health: nobody holds a node in a session that has ended. */
function describeHolder({ workState, links, now }: ViewContext, vertex: number): string {
  const lease = workState.liveLease(vertex, now);
  if (!lease) return '';
  const { agent, expiresAt } = lease;
  const { health, reason } = linkOf({ workState, links }, vertex, lease);
  return health === 'orphaned'
    ? `${agent}'s session ended (${reason?.replaceAll('_', ' ')}); the lease lasts until ${expiresAt}.`
    : `Held by ${agent} until ${expiresAt}.`;
}

const describeReady = (leverage: number): string =>
  leverage === 0
    ? 'Ready; nothing waits for it.'
    : `Ready; ${leverage} open ${leverage === 1 ? 'node waits' : 'nodes wait'} for it.`;

/** What failed before, and why `claim_next` passes it by. */
function describePassBy(view: ViewContext, vertex: number): string {
  const { workState, now } = view;
  const { failed } = workState.attemptsOf(vertex, now);
  const parked = parkedOf(view, vertex);
  if (parked === 'attempts')
    return `Parked: ${countOf(failed, 'attempt')} failed. claim_next passes it by until it is reset.`;
  if (parked === 'budget') return 'Parked: its budget is used up. claim_next passes it by until it is raised.';
  const attempts = failed === 0 ? '' : `${failed} of ${countOf(workState.attemptLimitOf(vertex), 'attempt')} failed.`;
  const until = workState.notBefore(vertex, now);
  const waits = until === null ? '' : `claim_next passes it by until ${until}.`;
  return [attempts, waits].filter((sentence) => sentence !== '').join(' ');
}

/** What others use or touch already, of a node that could be taken. */
function describeTaken(view: ViewContext, vertex: number, status: Status): string {
  if (status !== 'ready' && status !== 'failed') return '';
  const held = usesHeld(view, null)(vertex);
  if (held) return `${describeUse(view, held)}: claim_next passes it by until then.`;
  const met = touchesMet(view)(vertex);
  return met ? `${describeTouch(view, met)}: claim_next prefers other nodes.` : '';
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeProof({ workState, now }: ViewContext, vertex: number, status: Status): string {
  const evidence = workState.evidenceOf(vertex);
  const binding = workState.plans.graph.nodes[vertex]?.binding;
  if (evidence === null || !binding) return 'Nothing proves it done: bind it.';
  if (status === 'done') return '';
  const ref = workState.plans.refOf(vertex);
  const since = workState.submissionOf(vertex, now)?.at;
  const isOld = since !== undefined && evidence.observedAt !== null && evidence.observedAt < since;
  const found = status === 'failed' || isOld ? '' : ` ${capitalised(evidence.detail)}.`;
  return `Proof: ${wantedProof(effectiveBinding(binding, ref), ref)}.${found}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const namesShown = 3;

/** "Handed in by ada 12 min ago"; empty where nothing is handed in. */
function describeSubmission({ workState, now }: ViewContext, vertex: number): string {
  const submission = workState.submissionOf(vertex, now);
  return submission ? `Handed in by ${submission.agent} ${ago(submission.at, now)}` : '';
}

function describeWaiting(view: ViewContext, vertex: number): string {
  const open = waitingFor(view.workState, vertex);
  const names = open.slice(0, namesShown).map((on) => {
    const name = describeDependency(view.workState, on);
    const handedIn = describeSubmission(view, on).replace('H', 'h');
    if (handedIn === '') return name;
    return open.length === 1 ? `${name}, ${handedIn}` : `${name} (${handedIn})`;
  });
  const more = open.length > namesShown ? ` and ${open.length - namesShown} more` : '';
  return `Waits for ${names.join(', ')}${more}.`;
}

function describeDependency(workState: WorkState, vertex: number): string {
  const ref = workState.plans.refOf(vertex);
  const { nodes, plans } = workState.plans.graph;
  if (!nodes[vertex]) return `${ref} (cannot be found)`;
  return plans[vertex]?.archivedAt ? `${ref} (the plan ${plans[vertex]?.slug} is archived)` : ref;
}

/** The dependencies that are not done, missing ones included. */
export const waitingFor = (workState: WorkState, vertex: number): number[] =>
  (workState.plans.graph.dependsOn[vertex] ?? []).filter((on) => !workState.progress.isDone(on));
