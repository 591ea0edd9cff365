import type { Api } from '../browser/api.ts';
import type { Message, MessageType } from '../browser/messages.ts';
import { type ClaimCall, type HeldClaim, lossOf } from './held-claim.ts';
import type { Later } from './later.ts';
import { Refused } from './refused.ts';

export type Listen = (
  types: readonly MessageType[],
  hear: (message: Message) => void,
) => { off(): void; ready: Promise<void> };

type WatchDeps = { call: ClaimCall; listen: Listen; later: Later };
type Node = Api['node_status']['output'];

/** Work shorter than this, which is most work of a busy fleet, needs no watch. */
const watchAfterMs = 250;

/** The members of a node that only its author may change. */
const authored = ['title', 'description', 'repository', 'labels'] as const;

/** Watches the nodes that are held, and aborts their work if a change ends it. */
export class ClaimWatch {
  readonly #deps: WatchDeps;
  readonly #held = new Map<HeldClaim, () => void>();
  readonly #versions = new Map<string, number>();
  #listening: { off(): void; ready: Promise<void> } | undefined;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  add(held: HeldClaim): void {
    this.#held.set(
      held,
      this.#deps.later(() => void this.#begin(held), watchAfterMs),
    );
  }

  delete(held: HeldClaim): void {
    this.#held.get(held)?.();
    this.#held.delete(held);
  }

  end(): void {
    this.#listening?.off();
  }

  /** A claim is checked once when its watch begins, because earlier messages were missed. */
  async #begin(held: HeldClaim): Promise<void> {
    this.#listening ??= this.#deps.listen(['plan_changed', 'claim_changed'], (message) => this.#hear(message));
    await this.#listening.ready.catch(() => undefined);
    await this.#check(held);
  }

  #hear(message: Message): void {
    for (const held of [...this.#held.keys()]) if (this.#concerns(held, message)) void this.#check(held);
    if (message.type === 'plan_changed') this.#versions.set(message.data.slug, message.data.version);
  }

  #concerns({ claim: { node, fence } }: HeldClaim, message: Message): boolean {
    if (message.type === 'reset') return true;
    if (message.type === 'claim_changed') {
      const { plan, node: id, claim } = message.data;
      return plan === node.plan && id === node.id && claim?.fence !== fence;
    }
    if (message.type !== 'plan_changed') return false;
    // Reports do not change the version; the author's changes always do.
    const { slug, version, nodes } = message.data;
    return slug === node.plan && version !== this.#versions.get(slug) && nodes.includes(node.id);
  }

  /** A message may be older than the claim: the service decides. */
  async #check(held: HeldClaim): Promise<void> {
    const { call } = this.#deps;
    const { plan, id } = held.claim.node;
    try {
      const node = await call('node_status', { plan, node: id });
      if (!this.#held.has(held)) return;
      compare(held, node);
      // Archived plans can be read but have no ready work.
      if (!held.reason) await call('next_ready_nodes', { plan, limit: 1 });
    } catch (fault) {
      if (!(fault instanceof Refused) || !this.#held.has(held)) return;
      const isThere = fault.code === 'plan_not_found' && (await this.#isThere(plan));
      const code = isThere ? 'plan_archived' : lossOf(fault);
      if (code) held.abort(code, fault.message);
    }
  }

  async #isThere(plan: string): Promise<boolean> {
    return this.#deps.call('get_plan', { plan }).then(
      () => true,
      () => false,
    );
  }
}

/** Aborts work on nodes that have changed since they were claimed. */
function compare(held: HeldClaim, now: Node): void {
  const { node: then, fence } = held.claim;
  const { ref } = then;
  // A holder may bind a node that was not bound.
  const isRebound = then.binding !== null && now.binding?.kind !== then.binding.kind;
  const changed: string[] = authored.filter((member) => JSON.stringify(now[member]) !== JSON.stringify(then[member]));
  if (isRebound) changed.push('binding');
  if (now.claim === null) held.abort('claim_lost', `The claim of ${ref} has ended.`);
  else if (now.claim.fence !== fence) held.abort('claim_lost', `${now.claim.agent} holds ${ref} now.`);
  else if (changed.length > 0) held.abort('node_changed', `The author of ${ref} changed its ${changed.join(', ')}.`);
}
