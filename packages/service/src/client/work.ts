import type { Message, MessageType } from '../browser/messages.ts';
import { type Claim, type ClaimCall, HeldClaim } from './held-claim.ts';
import { IdleWait } from './idle-wait.ts';
import { type Later, pause } from './later.ts';
import { mayPass } from './refused.ts';
import { onSignals } from './stop-signals.ts';

export type { Claim } from './held-claim.ts';

export type WorkOptions = {
  /** Who claims; with a named token its name, or one that begins with it and a slash. */
  agent: string;
  /** How many nodes are worked on at once; 1 unless said. */
  concurrency?: number;
  repository?: string;
  plan?: string;
  label?: string;
  /** Takes nodes that nothing can prove done, too. */
  unbound?: boolean;
  /** How long a claim outlives a worker that died; 30 unless said. It is renewed while the function runs. */
  leaseMinutes?: number;
  /** How often this worker takes one node: 1 unless said. A node that failed, or was not proven in time, is ready again. */
  attempts?: number;
  /** Stops the worker, as `stop` does. */
  signal?: AbortSignal;
  /** False leaves SIGTERM and SIGINT to others. */
  signals?: boolean;
  /** How long functions may go on after such a signal before they are aborted; 5 s unless said. */
  graceMs?: number;
  /** Nothing is ready and nothing is being worked on. Called each time it comes to that. */
  onIdle?: () => void;
  /** What a function threw, or why a claim could not be given back. */
  onError?: (error: unknown, claim: Claim) => void;
};

export type WorkHelp = {
  /** Aborted when the claim is lost: somebody else may hold the node now. */
  signal: AbortSignal;
  /** Leaves a note and renews the lease; `session` links the session that does the work. */
  report(note?: string, more?: { session?: string }): Promise<void>;
};

export type WorkHandler = (claim: Claim, help: WorkHelp) => unknown;

export type Worker = {
  /** Takes nothing more, and settles when all that is under way has ended. Functions are aborted after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
  /** Settles when the worker has stopped; rejects when it cannot work at all, as with a token that may not. */
  readonly done: Promise<void>;
};

export type WorkDeps = {
  call: ClaimCall;
  close(): void;
  later: Later;
  listen(types: readonly MessageType[], hear: (message: Message) => void): { off(): void; ready: Promise<void> };
};

/** Works on ready nodes, as many at once as asked for. */
export function work(options: WorkOptions, handler: WorkHandler, deps: WorkDeps): Worker {
  const pool = new WorkPool(options, handler, deps);
  if (options.signal?.aborted) pool.stop();
  options.signal?.addEventListener('abort', () => pool.stop(), { once: true });
  const slots = Array.from({ length: Math.max(1, options.concurrency ?? 1) }, () => pool.run());
  const done = Promise.all(slots).then(
    () => pool.stop(),
    (fault: unknown) => {
      pool.stop();
      throw fault;
    },
  );
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

const defaultLeaseMinutes = 30;
/** Between two tries to reach a service that was away for longer than calls wait for it. */
const awayMs = 5_000;

/** `ageMs`: how long ago its lease may have begun. */
type Taken = { claim: Claim; ageMs: number };

/** So many nodes are remembered as taken; the service is told them with each claim. */
const mostRemembered = 1_000;

/** How a function ended, as the service is told; the note stays as the function left it. */
type Ended = { outcome: 'returned' | 'submitted' } | { outcome: 'failed'; error: string };
const returned: Ended = { outcome: 'returned' };

class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped';
}

class WorkPool {
  readonly #options: WorkOptions;
  readonly #handler: WorkHandler;
  readonly #deps: WorkDeps;
  readonly #idle: IdleWait;
  readonly #held = new Set<HeldClaim>();
  readonly #taken = new Map<string, number>();
  #isStopping = false;

  constructor(options: WorkOptions, handler: WorkHandler, deps: WorkDeps) {
    this.#options = options;
    this.#handler = handler;
    this.#deps = deps;
    this.#idle = new IdleWait(deps.listen, deps.later);
  }

  /** One of the nodes at a time, until the worker stops. */
  async run(): Promise<void> {
    let next = await this.#claimNext();
    while (!this.#isStopping || next) {
      if (!next)
        next = await this.#idle.found(
          () => this.#claimNext(),
          () => this.#noteIdle(),
        );
      else if (this.#isStopping) next = void (await this.#release(this.#hold(next), returned));
      else next = await this.#workOn(next);
    }
  }

  stop(graceMs?: number): void {
    this.#isStopping = true;
    this.#idle.end();
    if (graceMs === undefined) return;
    const stopped = new WorkerStopped('The worker was stopped.');
    this.#deps.later(() => {
      for (const held of this.#held) held.abort(stopped);
    }, graceMs);
  }

  #noteIdle(): void {
    if (this.#held.size === 0) this.#options.onIdle?.();
  }

  /** Undefined where nothing is ready. A service that is away is waited for. */
  async #claimNext(): Promise<Taken | undefined> {
    while (!this.#isStopping) {
      const asked = performance.now();
      try {
        const claim = await this.#deps.call('claim_next', this.#wanted());
        if (!claim.claimed) return undefined;
        const taken = { claim, ageMs: performance.now() - asked };
        if (!this.#isTakenOften(claim.node.ref)) return taken;
        // Asked before it was taken, answered after it was given back: a service that was away in between.
        await this.#release(this.#hold(taken), returned);
      } catch (fault) {
        if (!mayPass(fault)) throw fault;
        await pause(awayMs, this.#deps.later);
      }
    }
    return undefined;
  }

  #wanted() {
    const { agent, plan, repository, label, unbound, leaseMinutes = defaultLeaseMinutes } = this.#options;
    const except = [...this.#taken.keys()].filter((ref) => this.#isTakenOften(ref));
    return {
      agent,
      leaseMinutes,
      ...(plan !== undefined && { plan }),
      ...(repository !== undefined && { repository }),
      ...(label !== undefined && { label }),
      ...(unbound !== undefined && { unbound }),
      ...(except.length > 0 && { except }),
    };
  }

  #isTakenOften(ref: string): boolean {
    return (this.#taken.get(ref) ?? 0) >= (this.#options.attempts ?? 1);
  }

  #hold({ claim, ageMs }: Taken): HeldClaim {
    const { agent, leaseMinutes = defaultLeaseMinutes } = this.#options;
    const { call, later } = this.#deps;
    return new HeldClaim(claim, { agent, leaseMs: leaseMinutes * 60_000, call, later }, ageMs);
  }

  /** Gives the node back and takes the next one at the same time: both calls travel in one frame. */
  async #workOn(taken: Taken): Promise<Taken | undefined> {
    const held = this.#hold(taken);
    this.#held.add(held);
    this.#remember(taken.claim.node.ref);
    const ended = await this.#try(held);
    this.#held.delete(held);
    const released = this.#release(held, ended);
    const [result, following] = await Promise.allSettled([released, this.#claimNext()]);
    if (result.status === 'rejected') this.#options.onError?.(result.reason, taken.claim);
    if (following.status === 'rejected') throw following.reason;
    return following.value;
  }

  async #try(held: HeldClaim): Promise<Ended> {
    const { claim } = held;
    const help: WorkHelp = {
      get signal() {
        return held.signal;
      },
      report: (note, more) => held.report(note, more?.session),
    };
    try {
      await this.#handler(claim, help);
      return held.reason instanceof WorkerStopped ? returned : { outcome: 'submitted' };
    } catch (error) {
      this.#options.onError?.(error, claim);
      return held.reason instanceof WorkerStopped ? returned : { outcome: 'failed', error: errorText(error) };
    }
  }

  async #release(held: HeldClaim, ended: Ended): Promise<void> {
    held.end();
    if (held.isLost) return;
    const { call } = this.#deps;
    const { node } = await call('release_node', { ...held.holding, ...ended });
    // What is done is not ready, and need not be named any more.
    if (node.status === 'done') this.#taken.delete(node.ref);
  }

  #remember(ref: string): void {
    const times = (this.#taken.get(ref) ?? 0) + 1;
    this.#taken.delete(ref);
    if ((this.#options.attempts ?? 1) !== Number.POSITIVE_INFINITY) this.#taken.set(ref, times);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > mostRemembered && oldest !== undefined) this.#taken.delete(oldest);
  }
}

const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 2_000) || 'failed without a message';
