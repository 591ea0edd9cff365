import type { Api } from '../browser/api.ts';
import type { Call } from '../browser/call.ts';
import type { CallOptions } from './calls.ts';
import type { Later } from './later.ts';
import { Refused } from './refused.ts';

/** A node that was claimed: what there is to do, and until when it is held. */
export type Claim = Extract<Api['claim_next']['output'], { claimed: true }>;

export type ClaimCall = Call<Api, CallOptions>;

type Holder = { agent: string; leaseMs: number; call: ClaimCall; later: Later };

/** The claim is no longer this worker's. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** Renewed so early that a second and a third try still come before half of the lease is over. */
const renewAfter = 0.3;

/** Keeps a claim while it is worked on, and aborts `signal` once it is lost. */
export class HeldClaim {
  readonly claim: Claim;
  readonly #holder: Holder;
  /** Made for whoever asks for the signal. */
  #abort: AbortController | undefined;
  #lost: Error | undefined;
  #cancelRenewal: () => void = () => undefined;
  #cancelEnd: () => void = () => undefined;
  #isOver = false;

  constructor(claim: Claim, holder: Holder, ageMs: number) {
    this.claim = claim;
    this.#holder = holder;
    this.#schedule(ageMs);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#lost) this.#abort.abort(this.#lost);
    return this.#abort.signal;
  }

  /** Why `signal` was aborted, where it was. */
  get reason(): Error | undefined {
    return this.#lost;
  }

  /** Somebody else may hold the node now. */
  get isLost(): boolean {
    return this.#lost instanceof ClaimLost;
  }

  /** What `report_node` and `release_node` are told. */
  get holding() {
    const { plan, id } = this.claim.node;
    return { plan, node: id, agent: this.#holder.agent, fence: this.claim.fence };
  }

  abort(reason: Error): void {
    this.#lost ??= reason;
    this.#abort?.abort(reason);
  }

  /** Renews the lease, with a note for whoever comes next where one is given. */
  async report(note?: string, session?: string): Promise<void> {
    const asked = performance.now();
    try {
      const { leaseMs, call } = this.#holder;
      const more = { ...(note !== undefined && { note }), ...(session !== undefined && { session }) };
      await call('report_node', { ...this.holding, leaseMinutes: leaseMs / 60_000, ...more });
      this.#schedule(performance.now() - asked);
    } catch (fault) {
      if (fault instanceof Refused && isLoss(fault)) this.abort(new ClaimLost(fault.message));
      throw fault;
    }
  }

  /** Nothing is renewed from now on. */
  end(): void {
    this.#isOver = true;
    this.#cancelRenewal();
    this.#cancelEnd();
  }

  /** `ageMs`: how long ago the lease may have begun, at most. */
  #schedule(ageMs: number): void {
    this.#cancelRenewal();
    this.#cancelEnd();
    if (this.#isOver) return;
    const { later, leaseMs } = this.#holder;
    this.#cancelRenewal = later(() => this.#renew(), Math.max(0, leaseMs * renewAfter - ageMs));
    this.#cancelEnd = later(
      () => this.abort(new ClaimLost('The lease ended before it could be renewed.')),
      leaseMs - ageMs,
    );
  }

  #renew(): void {
    const { later, leaseMs } = this.#holder;
    this.#cancelRenewal = later(() => this.#renew(), leaseMs * renewAfter);
    this.report().catch(() => undefined);
  }
}

const isLoss = ({ code }: Refused): boolean =>
  code === 'not_holder' || code === 'stale_fence' || code === 'node_not_found' || code === 'plan_not_found';
