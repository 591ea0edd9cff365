import type { Append } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { type Binding, sameBinding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import { evidenceStream } from './book.ts';
import type { EvidenceState } from './contract.ts';
import { type EndedRun, type Evidence, unobserved } from './evidence.ts';

type Happened<Type extends string, Data> = { type: Type; data: Data };

/** The stream is `evidence:<plan>/<node>`. */
export type EvidenceEvent =
  | Happened<
      'evidence_observed',
      {
        id: string;
        from: EvidenceState;
        to: EvidenceState;
        /** The last state that was not a live run. */
        settled: EvidenceState;
        settledBy?: EndedRun | null;
        detail: string;
        url: string | null;
        runId: string | null;
      }
    >
  | Happened<'node_signed_off', { id: string; note: string | null; revoked: boolean }>;

/** What an observer saw. `state` null: it lost sight, so the last evidence stands and only the detail is new, if that. */
export type Observation = {
  state: EvidenceState | null;
  detail: string | null;
  url?: string | null;
  runId?: string | null;
  /** While `state` is `running`: what the newest ended run says, where the observer knows. */
  settled?: EvidenceState;
  /** The ended run that says so, where it is one. */
  settledBy?: EndedRun;
};

/** A node as it stands when the observation comes in; `binding` null where it is bound no more. */
export type Observed = { ref: Ref; binding: Binding | null; evidence: Evidence | undefined };

/** Nothing when the node was bound otherwise meanwhile, or when what was seen is what is known. */
export function observeEvidence(node: Observed, looked: Binding, seen: Observation): EvidenceEvent | undefined {
  if (node.binding === null || !sameBinding(node.binding, looked)) return undefined;
  const known = node.evidence ?? unobserved(node.binding);
  const to = seen.state ?? known.state;
  const next = {
    settled: to === 'running' ? (seen.settled ?? known.settled) : to,
    settledBy: seen.settledBy ?? known.settledBy,
    detail: seen.detail ?? known.detail,
    url: seen.url === undefined ? known.url : seen.url,
    runId: seen.runId === undefined ? known.runId : seen.runId,
  };
  const isNews =
    to !== known.state ||
    next.settled !== known.settled ||
    next.detail !== known.detail ||
    next.url !== known.url ||
    next.runId !== known.runId;
  if (!isNews) return undefined;
  return { type: 'evidence_observed', data: { id: node.ref.node, from: known.state, to, ...next } };
}

export type SignOff = { by: string; note?: string | null | undefined; revoke?: boolean | null | undefined };

export function signOffNode(
  node: Observed & { agents: readonly string[] },
  { by, note, revoke }: SignOff,
): EvidenceEvent | undefined | Refusal {
  const { binding, evidence, ref } = node;
  const name = `${ref.plan}/${ref.node}`;
  if (binding?.kind !== 'signOff') {
    const how = binding === null ? 'is bound to nothing' : `is proven by ${binding.kind}`;
    return refuse('invalid_request', `${name} ${how}. Bind it to { kind: signOff } first.`);
  }
  if (binding.who !== undefined && binding.who.toLowerCase() !== by.toLowerCase()) {
    return refuse(
      'invalid_request',
      `${name} wants the sign-off of ${binding.who}, not of ${by}. Say who you are with by.`,
    );
  }
  if (node.agents.some((agent) => agent.toLowerCase() === by.toLowerCase())) {
    return refuse('self_sign_off', `${by} worked on ${name}. Somebody else must sign it off.`);
  }
  const revoked = revoke ?? false;
  const isSo = revoked ? evidence === undefined : evidence !== undefined && !note;
  if (isSo) return undefined;
  return { type: 'node_signed_off', data: { id: ref.node, note: note ?? null, revoked } };
}

export const evidenceAppend = (ref: Ref, event: EvidenceEvent, by: string): Append => ({
  stream: evidenceStream(ref),
  topic: `plan:${ref.plan.toLowerCase()}`,
  events: [{ ...event, by, provenance: event.type === 'evidence_observed' ? 'observed' : 'asserted' }],
});
