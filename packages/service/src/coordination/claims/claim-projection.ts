import type { Spent, Tokens, Workers } from '../../kernel/claim-view.ts';
import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf, partsOfRef } from '../../kernel/streams.ts';
import { isStored } from '../stored-event.ts';
import {
  endClaim,
  evolve,
  hasExpired,
  type NodeClaimState,
  type ObservedHealth,
  unclaimed,
  withoutAttempts,
} from './lease.ts';
import type { Submission } from './submission.ts';

type SplitEnd = ObservedHealth & { tokens?: Tokens; note?: string | null };

type SavedClaims = { states: Map<NodeKey, NodeClaimState>; labels: Map<string, Set<string>> };

export const nothingSpent: Spent = { tokens: 0, claims: 0 };

const sessionKey = (session: string): string => `session ${session}`;
const tokenKey = (token: string): string => `token ${token}`;

/** The claims, by the key of the node. */
export class ClaimProjection implements Projection {
  #states = new Map<NodeKey, NodeClaimState>();
  #open = new Set<NodeKey>();
  #submitted = new Set<NodeKey>();
  #failed = new Set<NodeKey>();
  /** The tokens spent on each plan, by its key, without live claims. */
  #spent = new Map<string, Spent>();
  /** The labels under which each session and each token held something. */
  #labels = new Map<string, Set<string>>();

  of(key: NodeKey): NodeClaimState {
    return this.#states.get(key) ?? unclaimed;
  }

  /** The current or last holder of a node, with all labels they used. */
  workersOf(key: NodeKey): Workers {
    const { lease, last, lastToken } = this.of(key);
    const present = (values: readonly (string | null | undefined)[]) =>
      values.filter((value) => typeof value === 'string');
    const sessions = present([lease?.session, last?.session]).map((session) => session.toLowerCase());
    const tokens = present([lease?.token, lastToken]);
    const origins = [...sessions.map(sessionKey), ...tokens.map(tokenKey)];
    const labels = [
      ...present([lease?.agent, last?.agent]),
      ...origins.flatMap((one) => [...(this.#labels.get(one) ?? [])]),
    ];
    return { labels: new Set(labels.map((label) => label.toLowerCase())), sessions, tokens };
  }

  /** Keys of the claims that no event has ended; some may have expired. */
  open(): ReadonlySet<NodeKey> {
    return this.#open;
  }

  /** Keys of submitted nodes, including submissions that have ended without an event yet. */
  submitted(): ReadonlySet<NodeKey> {
    return this.#submitted;
  }

  /** Keys of the nodes with failed attempts. */
  failed(): ReadonlySet<NodeKey> {
    return this.#failed;
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'claim')) return;
    const key = nodeKeyOf(event);
    this.#set(key, evolve(this.of(key), event, event.at));
    if (event.type === 'node_claimed' || event.type === 'claim_reported') this.#noteLabel(event.data);
  }

  /** Ends the claim of a node that was removed. */
  nodeRemoved(key: NodeKey, lastObserved: ObservedHealth | null, at: string): void {
    this.#setSubmission(key, null);
    this.forgetAttempts(key, at);
    const state = this.of(key);
    if (!state.lease) return;
    const isExpired = hasExpired(state.lease, at);
    const endedAt = isExpired ? state.lease.expiresAt : at;
    const observedHealth = lastObserved ?? { health: 'unlinked', reason: null };
    this.#set(
      key,
      endClaim(state, { how: isExpired ? 'expired' : 'removed', endedAt, tokens: null, ...observedHealth }),
    );
  }

  /** New evidence has ended the submission; no event records that yet. */
  settleSubmission(key: NodeKey, settled: Submission['settled']): void {
    const { submission } = this.of(key);
    if (submission) this.#setSubmission(key, { ...submission, settled });
  }

  /** The node was bound to another proof, so the time limit of its submission begins again. */
  nodeBound(key: NodeKey, at: string): void {
    const { submission } = this.of(key);
    if (submission) this.#setSubmission(key, { ...submission, awaitedSince: at, settled: null });
  }

  /** Its holder split it: it was released and depends on the new nodes. */
  nodeSplit(key: NodeKey, { ended }: { ended: SplitEnd }, at: string): void {
    const { health, reason, tokens = null, note } = ended;
    const how = { how: 'released', endedAt: at, tokens, health, reason, ...(note !== undefined && { note }) } as const;
    this.#set(key, endClaim(this.of(key), how));
  }

  /** The node is done, or its author changed it: earlier failures no longer count. */
  forgetAttempts(key: NodeKey, at: string): void {
    const state = this.#states.get(key);
    if (state?.attempts || state?.notBefore || state?.lease) this.#set(key, withoutAttempts(state, at));
  }

  reset(): void {
    this.#states.clear();
    this.#failed.clear();
    this.#spent.clear();
    this.#open.clear();
    this.#submitted.clear();
    this.#labels.clear();
  }

  save(): SavedClaims {
    return { states: this.#states, labels: this.#labels };
  }

  load({ states, labels }: SavedClaims): void {
    for (const [key, state] of states) this.#set(key, state);
    this.#labels = labels;
  }

  #noteLabel({ agent, session, token }: { agent: string; session: string | null; token?: string }): void {
    const origins = [...(session ? [sessionKey(session.toLowerCase())] : []), ...(token ? [tokenKey(token)] : [])];
    for (const origin of origins) {
      const labels = this.#labels.get(origin);
      if (labels) labels.add(agent);
      else this.#labels.set(origin, new Set([agent]));
    }
  }

  #noteSpent(key: NodeKey, before: Spent = nothingSpent, after: Spent = nothingSpent): void {
    if (before === after) return;
    const { plan } = partsOfRef(key);
    const { tokens, claims } = this.#spent.get(plan) ?? nothingSpent;
    this.#spent.set(plan, {
      tokens: tokens + after.tokens - before.tokens,
      claims: claims + after.claims - before.claims,
    });
  }

  #setSubmission(key: NodeKey, submission: Submission | null): void {
    const state = this.#states.get(key);
    if (state?.submission) this.#set(key, { ...state, submission });
  }

  /** The usage of a plan's ended claims, and the number of its claims. */
  spentOn(plan: string): Spent {
    return this.#spent.get(plan.toLowerCase()) ?? nothingSpent;
  }

  #set(key: NodeKey, state: NodeClaimState): void {
    this.#noteSpent(key, this.#states.get(key)?.spent, state.spent);
    this.#states.set(key, state);
    if (state.lease) this.#open.add(key);
    else this.#open.delete(key);
    if (state.submission) this.#submitted.add(key);
    else this.#submitted.delete(key);
    if (state.attempts) this.#failed.add(key);
    else this.#failed.delete(key);
  }
}
