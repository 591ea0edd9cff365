import type { Message } from '../browser/messages.ts';
import { ClaimWatch, type Listen } from './claim-watch.ts';
import { type Claim, type ClaimCall, HeldClaim } from './held-claim.ts';
import { donePlans, isUnderWay } from './idle-plans.ts';
import { IdleWait } from './idle-wait.ts';
import { type Later, pause } from './later.ts';
import { mayPass, Refused } from './refused.ts';
import { onSignals } from './stop-signals.ts';
import { createHelp, type Ended, errorText, isEnding, type WorkHelp } from './work-help.ts';

export type { Claim } from './held-claim.ts';

export type WorkOptions = {
  /** The name under which nodes are claimed; with a named token the token's name, or that name followed by a slash and more. */
  agent: string;
  /** How many nodes to work on at once; default 1. */
  concurrency?: number;
  repository?: string;
  plan?: string;
  label?: string;
  /** Also claims nodes that nothing can prove done. */
  unbound?: boolean;
  /** How long a claim lasts after its worker died; default 2. It is renewed while the function runs. */
  leaseMinutes?: number;
  /** How long a function may take; then it is aborted and the node released as failed. Default: no limit. */
  timeoutMs?: number;
  /** Stops the worker, as `stop` does. */
  signal?: AbortSignal;
  /** False leaves SIGTERM and SIGINT to others. */
  signals?: boolean;
  /** How long functions may continue after such a signal before they are aborted; default 5 s. */
  graceMs?: number;
  /**
   * Called when nothing is ready and nothing in progress could become ready without a person. Called once until the
   * next node is claimed.
   */
  onIdle?: () => void;
  /** Called when every node of a plan on which this worker worked is done. */
  onPlanDone?: (plan: string) => void;
  /** Called with the error of a function, or the reason why a claim could not be released. */
  onError?: (error: unknown, claim: Claim) => void;
};

/** Its return value is the node's `result`, for nodes that depend on it. */
export type WorkHandler = (claim: Claim, help: WorkHelp) => unknown;

export type Worker = {
  /** Claims no more nodes, and settles when all running functions have ended. Functions are aborted after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
  /** Settles when the worker has stopped; rejects if it cannot work at all, such as with a token that lacks the scope. */
  readonly done: Promise<void>;
};

export type WorkDeps = { call: ClaimCall; close(): void; later: Later; listen: Listen };

/** Works on ready nodes, up to `concurrency` at once. */
export function work(options: WorkOptions, handler: WorkHandler, deps: WorkDeps): Worker {
  const pool = new WorkPool(options, handler, deps);
  const onAbort = () => pool.stop();
  if (options.signal?.aborted) pool.stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const slots = Array.from({ length: Math.max(1, options.concurrency ?? 1) }, () => pool.run());
  // A lane that cannot continue stops the others gracefully: their functions end normally.
  for (const slot of slots) slot.catch(() => pool.stop());
  const done = Promise.allSettled(slots).then((ended) => {
    options.signal?.removeEventListener('abort', onAbort);
    pool.end();
    const failed = ended.find((slot) => slot.status === 'rejected');
    if (failed) throw failed.reason;
  });
  const stop = (graceMs?: number) => {
    pool.stop(graceMs);
    return done;
  };
  if (options.signals !== false) {
    const forget = onSignals(() => stop(options.graceMs ?? 5_000), deps.close);
    done.then(forget, forget);
  }
  return { stop, done };
}

const defaultLeaseMinutes = 2;
/** The pause before the next attempt after the service was unreachable for longer than a call waits. */
const awayMs = 5_000;
/** The service's clock may be behind this one, so a retry never comes sooner. */
const soonestTryMs = 1_000;
/** Changes of a plan within this time are checked once. */
const settleMs = 50;
/** The service's limit for a result. */
const mostResultBytes = 16 * 1024;

/** `ageMs`: how long ago its lease may have begun. */
type Taken = { claim: Claim; ageMs: number };

const returned: Ended = { outcome: 'returned' };

class WorkPool {
  readonly #options: WorkOptions;
  readonly #handler: WorkHandler;
  readonly #deps: WorkDeps;
  readonly #idle: IdleWait;
  readonly #watch: ClaimWatch;
  readonly #held = new Set<HeldClaim>();
  readonly #stopping = new AbortController();
  /** Plans of claimed nodes that are not known to be done. */
  readonly #openPlans = new Set<string>();
  #planMessages: { off(): void } | undefined;
  #cancelPlanLook: (() => void) | undefined;
  #cancelGrace: (() => void) | undefined;
  /** When a failed node may be handed out again, from the service's last answer. */
  #notBefore: string | undefined;
  #taken = 0;
  #isIdle = false;

  constructor(options: WorkOptions, handler: WorkHandler, deps: WorkDeps) {
    this.#options = options;
    this.#handler = handler;
    this.#deps = deps;
    this.#idle = new IdleWait(deps.listen, deps.later);
    this.#watch = new ClaimWatch(deps);
    if (options.onPlanDone) this.#planMessages = deps.listen(['plan_changed'], (message) => this.#hearPlan(message));
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Works on one node at a time until the worker stops. */
  async run(): Promise<void> {
    let next = await this.#claimNext();
    while (!this.#isStopping || next) {
      if (!next)
        next = await this.#idle.found({
          ask: () => this.#claimNext(),
          onIdle: () => void this.#noteIdle().catch(() => undefined),
          waitMs: () => this.#untilNextTry(),
        });
      else if (this.#isStopping) next = void (await this.#giveBack(next));
      else next = await this.#workOn(next);
    }
  }

  stop(graceMs?: number): void {
    this.#stopping.abort();
    this.#idle.end();
    if (graceMs === undefined) return;
    this.#cancelGrace?.();
    this.#cancelGrace = this.#deps.later(() => {
      for (const held of this.#held) held.abort('stopped', 'The worker was stopped.');
    }, graceMs);
  }

  /** Removes all listeners. */
  end(): void {
    this.#watch.end();
    this.#planMessages?.off();
    this.#cancelPlanLook?.();
    this.#cancelGrace?.();
  }

  /** Undefined if nothing is ready. Waits for an unreachable service. */
  async #claimNext(): Promise<Taken | undefined> {
    while (!this.#isStopping) {
      const asked = performance.now();
      try {
        const claim = await this.#deps.call('claim_next', this.#wanted());
        this.#notBefore = 'notBefore' in claim ? claim.notBefore : undefined;
        if (!claim.claimed) return undefined;
        this.#taken += 1;
        this.#isIdle = false;
        this.#openPlans.add(claim.node.plan);
        return { claim, ageMs: performance.now() - asked };
      } catch (fault) {
        if (await this.#isArchived(fault)) return undefined;
        if (!mayPass(fault)) throw fault;
        await pause(awayMs, this.#deps.later, this.#stopping.signal).catch(() => undefined);
      }
    }
    return undefined;
  }

  #wanted() {
    const { agent, plan, repository, label, unbound, leaseMinutes = defaultLeaseMinutes } = this.#options;
    return {
      agent,
      leaseMinutes,
      ...(plan !== undefined && { plan }),
      ...(repository !== undefined && { repository }),
      ...(label !== undefined && { label }),
      ...(unbound !== undefined && { unbound }),
    };
  }

  /** An archived plan may be restored; one that never existed is a mistake. */
  async #isArchived(fault: unknown): Promise<boolean> {
    const { plan } = this.#options;
    if (plan === undefined || !(fault instanceof Refused) || fault.code !== 'plan_not_found') return false;
    if (this.#taken > 0) return true;
    return this.#deps.call('get_plan', { plan }).then(
      () => true,
      () => false,
    );
  }

  #hold({ claim, ageMs }: Taken): HeldClaim {
    const { agent, leaseMinutes = defaultLeaseMinutes } = this.#options;
    const { call, later } = this.#deps;
    return new HeldClaim(claim, { agent, leaseMs: leaseMinutes * 60_000, call, later }, ageMs);
  }

  /** Releases the node and claims the next one at the same time: both calls are sent in one frame. */
  async #workOn(taken: Taken): Promise<Taken | undefined> {
    const held = this.#hold(taken);
    this.#held.add(held);
    this.#watch.add(held);
    const ended = await this.#try(held);
    this.#watch.delete(held);
    this.#held.delete(held);
    const [, following] = await Promise.allSettled([this.#release(held, ended), this.#claimNext()]);
    if (following.status === 'rejected') throw following.reason;
    return following.value;
  }

  /** Releases a node that was claimed while the worker was being stopped. */
  #giveBack(taken: Taken): Promise<void> {
    return this.#release(this.#hold(taken), returned);
  }

  async #try(held: HeldClaim): Promise<Ended> {
    const { call, later } = this.#deps;
    const { timeoutMs } = this.#options;
    const { help, said } = createHelp(held, call);
    const cancelTimeout =
      timeoutMs === undefined
        ? undefined
        : later(() => held.abort('timeout', `The function took longer than ${timeoutMs} ms.`), timeoutMs);
    const running = (async () => this.#handler(held.claim, help))();
    // An abandoned function may still fail.
    running.catch(() => undefined);
    try {
      const result = await Promise.race([running, held.abandoned]);
      return abortedEnd(held) ?? said() ?? { outcome: 'submitted', ...this.#resultOf(result, held.claim) };
    } catch (error) {
      if (!isEnding(error)) this.#options.onError?.(error, held.claim);
      return abortedEnd(held) ?? said() ?? { outcome: 'failed', error: errorText(error) };
    } finally {
      cancelTimeout?.();
    }
  }

  /** Results that are not JSON or too long are dropped. */
  #resultOf(result: unknown, claim: Claim): { result?: unknown } {
    try {
      const text = JSON.stringify(result);
      if (text === undefined) return {};
      const { length } = new TextEncoder().encode(text);
      if (length <= mostResultBytes) return { result };
      throw new RangeError(`The result has ${length} bytes; at most ${mostResultBytes} are allowed.`);
    } catch (error) {
      this.#options.onError?.(error, claim);
      return {};
    }
  }

  async #release(held: HeldClaim, ended: Ended): Promise<void> {
    held.end();
    if (held.isLost) return;
    try {
      const note = ended.outcome === 'submitted' ? undefined : held.earlierNote;
      await this.#deps.call('release_node', { ...held.holding, ...ended, ...(note !== undefined && { note }) });
    } catch (fault) {
      this.#options.onError?.(fault, held.claim);
    }
  }

  #untilNextTry(): number | undefined {
    if (this.#notBefore === undefined) return undefined;
    return Math.max(soonestTryMs, Date.parse(this.#notBefore) - Date.now());
  }

  async #noteIdle(): Promise<void> {
    const { onIdle } = this.#options;
    if (!onIdle || this.#isIdle || this.#held.size > 0 || this.#notBefore !== undefined) return;
    const taken = this.#taken;
    if (await isUnderWay(this.#deps.call, this.#options)) return;
    if (this.#isIdle || this.#isStopping || taken !== this.#taken || this.#held.size > 0) return;
    this.#isIdle = true;
    onIdle();
  }

  #hearPlan(message: Message): void {
    if (message.type === 'plan_changed' && !this.#openPlans.has(message.data.slug)) return;
    this.#cancelPlanLook ??= this.#deps.later(() => void this.#lookAtPlans().catch(() => undefined), settleMs);
  }

  async #lookAtPlans(): Promise<void> {
    this.#cancelPlanLook = undefined;
    for (const plan of await donePlans(this.#deps.call, this.#openPlans))
      if (this.#openPlans.delete(plan)) this.#options.onPlanDone?.(plan);
  }
}

/** How to release a node after its function was aborted. */
function abortedEnd({ reason }: HeldClaim): Ended | undefined {
  if (!reason) return undefined;
  return reason.code === 'timeout' ? { outcome: 'failed', error: reason.message } : returned;
}
