import type { Workers } from '../../kernel/claim-view.ts';
import type { Append } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { nodeKey, streams } from '../../kernel/streams.ts';
import { type Binding, sameBinding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import type { EvidenceState } from './contract.ts';
import type { EndedRun, EvidenceEvent } from './events.ts';
import { type Evidence, notYetObserved } from './node-evidence.ts';

/**
 * The result of an observation. If `state` is null, nothing is known: the last evidence is kept, and at most its detail
 * changes.
 */
export type Observation = {
  state: EvidenceState | null;
  detail: string | null;
  url?: string | null;
  runId?: string | null;
  /** While `state` is `running` or `incomplete`: the verdict of the newest run that decided, if the observer knows it. */
  settled?: EvidenceState;
  /** The ended run that shows it, if there is one. */
  settledBy?: EndedRun;
};

/** A node at the time of writing; `binding` is null if it is no longer bound. */
export type ObservedNode = { ref: Ref; binding: Binding | null; evidence: Evidence | undefined };

/** No event if the node was bound to something else in the meantime, or if nothing changed. */
export function observeEvidence(
  node: ObservedNode,
  checkedBinding: Binding,
  observation: Observation,
): EvidenceEvent | undefined {
  if (node.binding === null || !sameBinding(node.binding, checkedBinding)) return undefined;
  const current = node.evidence ?? notYetObserved(node.binding);
  const to = observation.state ?? current.state;
  const next = {
    settled: isUndecided(to) ? (observation.settled ?? current.settled) : to,
    settledBy: observation.settledBy ?? current.settledBy,
    detail: observation.detail ?? current.detail,
    url: observation.url === undefined ? current.url : observation.url,
    runId: observation.runId === undefined ? current.runId : observation.runId,
  };
  const isChanged =
    to !== current.state ||
    next.settled !== current.settled ||
    next.detail !== current.detail ||
    next.url !== current.url ||
    next.runId !== current.runId;
  if (!isChanged || (to === current.state && isReworded(current, next))) return undefined;
  return { type: 'evidence_observed', data: { id: node.ref.node, from: current.state, to, ...next } };
}

/** A live run, or one with missing verdicts, does not change what was settled before. */
const isUndecided = (state: EvidenceState): boolean => state === 'running' || state === 'incomplete';

/** Whether only the text differs: evidence that an older version wrote keeps its text while state and run are the same. */
const isReworded = (current: Evidence, next: Pick<Evidence, 'settled' | 'settledBy' | 'runId'>): boolean =>
  current.runId !== null &&
  current.runId === next.runId &&
  current.runId === next.settledBy?.runId &&
  current.settledBy?.receivedAt === undefined &&
  current.settled === next.settled;

/** The signer: a label, and the session and token that the call came from. */
export type Signer = { by: string; session: string | null; token: string | null };
export type SignOff = Signer & {
  note?: string | null | undefined;
  revoke?: boolean | null | undefined;
  refuse?: boolean | null | undefined;
};

export function signOffNode(
  node: ObservedNode & { workers: Workers },
  { note, revoke, refuse: refused, ...signer }: SignOff,
): EvidenceEvent | undefined | Refusal {
  const { binding, evidence, ref } = node;
  const { by } = signer;
  const name = `${ref.plan}/${ref.node}`;
  if (binding?.kind !== 'signOff') {
    const how = binding === null ? 'has no binding' : `is proven by ${binding.kind}`;
    return refuse('invalid_request', `${name} ${how}. Bind it to { kind: signOff } first.`);
  }
  if (binding.who !== undefined && binding.who.toLowerCase() !== by.toLowerCase()) {
    return refuse(
      'invalid_request',
      `${name} needs the sign-off of ${binding.who}, not of ${by}. Pass your name as by.`,
      { who: binding.who },
    );
  }
  if (hasWorked(signer, node.workers)) {
    return refuse('self_sign_off', `${by} worked on ${name}. Somebody else must sign it off.`);
  }
  const said = { id: ref.node, note: note ?? null };
  if (refused) return { type: 'node_signed_off', data: { ...said, revoked: true, refused } };
  const revoked = revoke ?? false;
  const isUnchanged = revoked ? evidence === undefined : evidence?.state === 'signed' && !note;
  if (isUnchanged) return undefined;
  return { type: 'node_signed_off', data: { ...said, revoked } };
}

function hasWorked({ by, session, token }: Signer, { labels, sessions, tokens }: Workers): boolean {
  if (labels.has(by.toLowerCase())) return true;
  return (session !== null && sessions.includes(session.toLowerCase())) || (token !== null && tokens.includes(token));
}

export const evidenceAppend = (ref: Ref, event: EvidenceEvent, by: string): Append => ({
  stream: streams.evidence(nodeKey(ref.plan, ref.node)),
  topic: streams.plan(ref.plan),
  events: [{ ...event, by, provenance: event.type === 'evidence_observed' ? 'observed' : 'asserted' }],
});
