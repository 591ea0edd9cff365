import type { Api } from '../browser/api.ts';
import type { Call } from '../browser/call.ts';
import type { CallOptions } from './calls.ts';
import type { Later } from './later.ts';
import { Refused } from './refused.ts';
import { type AbortCode, WorkAborted } from './work-aborted.ts';

/** A claimed node: the work, and until when it is held. */
export type Claim = Extract<Api['claim_next']['output'], { claimed: true }>;

export type ClaimCall = Call<Api, CallOptions>;

type Holder = { agent: string; leaseMs: number; call: ClaimCall; later: Later };

type Report = { note?: string | undefined; session?: string | undefined; progress?: number | undefined };

/** Renewed early enough that a second and a third try still come within the first half of the lease. */
const renewAfter = 0.3;
/** How long an aborted function may still run; then its claim is released. */
const lastWordsMs = 900;

/** In these cases there is no claim to release. */
const losses: ReadonlySet<AbortCode> = new Set(['claim_lost', 'node_removed']);

/** Renews a claim while its function runs, and aborts `signal` when the work must end. */
export class HeldClaim {
  readonly claim: Claim;
  readonly #holder: Holder;
  /** Created when the signal is first read. */
  #abort: AbortController | undefined;
  #reason: WorkAborted | undefined;
  readonly #abandoned = Promise.withResolvers<never>();
  #cancelRenewal: () => void = () => undefined;
  #cancelEnd: () => void = () => undefined;
  #cancelLastWords: () => void = () => undefined;
  #isOver = false;
  #hasNote = false;

  constructor(claim: Claim, holder: Holder, ageMs: number) {
    this.claim = claim;
    this.#holder = holder;
    this.#abandoned.promise.catch(() => undefined);
    this.#schedule(ageMs);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#reason) this.#abort.abort(this.#reason);
    return this.#abort.signal;
  }

  /** Why `signal` was aborted; undefined if it was not. */
  get reason(): WorkAborted | undefined {
    return this.#reason;
  }

  /** Whether somebody else may hold the node now, or the node was removed. */
  get isLost(): boolean {
    return this.#reason !== undefined && losses.has(this.#reason.code);
  }

  /** Rejects with the reason of an abort once the function has had time to end. */
  get abandoned(): Promise<never> {
    return this.#abandoned.promise;
  }

  /** The previous holder's note, if this claim left none: a claim without a result must not replace it. */
  get earlierNote(): string | undefined {
    return this.#hasNote ? undefined : (this.claim.node.lastClaim?.note ?? undefined);
  }

  /** The input of `report_node` and `release_node`. */
  get holding() {
    const { plan, id } = this.claim.node;
    return { plan, node: id, agent: this.#holder.agent, fence: this.claim.fence };
  }

  abort(code: AbortCode, message: string): void {
    if (this.#reason || this.#isOver) return;
    const reason = new WorkAborted(code, message);
    this.#reason = reason;
    if (this.isLost) this.#stopRenewing();
    this.#cancelLastWords = this.#holder.later(() => this.#abandoned.reject(reason), lastWordsMs);
    this.#abort?.abort(reason);
  }

  /** Renews the lease, with an optional note for the next holder. */
  async report({ note, session, progress }: Report = {}): Promise<void> {
    const asked = performance.now();
    try {
      const { leaseMs, call } = this.#holder;
      const more = {
        ...(note !== undefined && { note }),
        ...(session !== undefined && { session }),
        ...(progress !== undefined && { progress }),
      };
      await call('report_node', { ...this.holding, leaseMinutes: leaseMs / 60_000, ...more });
      if (note !== undefined) this.#hasNote = true;
      this.#schedule(performance.now() - asked);
    } catch (fault) {
      const code = fault instanceof Refused ? lossOf(fault) : undefined;
      if (code && fault instanceof Refused) this.abort(code, fault.message);
      throw fault;
    }
  }

  /** Stops renewing. */
  end(): void {
    this.#isOver = true;
    this.#cancelLastWords();
    this.#stopRenewing();
  }

  #stopRenewing(): void {
    this.#cancelRenewal();
    this.#cancelEnd();
  }

  /** `ageMs`: the longest time since the lease may have begun. */
  #schedule(ageMs: number): void {
    this.#stopRenewing();
    if (this.#isOver || this.isLost) return;
    const { later, leaseMs } = this.#holder;
    this.#cancelRenewal = later(() => this.#renew(), Math.max(0, leaseMs * renewAfter - ageMs));
    this.#cancelEnd = later(
      () => this.abort('claim_lost', 'The lease ended before it could be renewed.'),
      Math.max(0, leaseMs - ageMs),
    );
  }

  #renew(): void {
    const { later, leaseMs } = this.#holder;
    this.#cancelRenewal = later(() => this.#renew(), leaseMs * renewAfter);
    this.report().catch(() => undefined);
  }
}

/** The abort code for a refusal; undefined if the claim is not lost. */
export function lossOf({ code }: Refused): AbortCode | undefined {
  if (code === 'not_holder' || code === 'stale_fence') return 'claim_lost';
  return code === 'node_not_found' || code === 'plan_not_found' ? 'node_removed' : undefined;
}
