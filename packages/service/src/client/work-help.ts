import type { ClaimCall, HeldClaim } from './held-claim.ts';

export type Defer = {
  /** Not handed out before this time; default 5 minutes from now. */
  until?: string | Date;
  /** Stored as `lastClaim.error`. */
  reason?: string;
};

export type WorkHelp = {
  /** Aborted when the work must end; its reason is a `WorkAborted` with a `code`. */
  readonly signal: AbortSignal;
  /** Leaves a note and renews the lease; `session` links the working session. */
  report(note?: string, more?: { session?: string }): Promise<void>;
  /** Reports progress from 0 to 1, with an optional note. */
  progress(share: number, note?: string): Promise<void>;
  /** Releases the node to be handed out again later. Ends the function. */
  defer(how?: Defer): never;
  /** Releases the node as failed. Ends the function. */
  fail(reason: string): never;
  /** Resolves when another node is done; `ref` is `plan/node`, or a node of the same plan. The lease is renewed meanwhile. */
  wait(ref: string): Promise<void>;
};

/** The end of a function as reported to the service; its last note stays. */
export type Ended = {
  outcome: 'returned' | 'submitted' | 'failed';
  error?: string;
  notBefore?: string;
  result?: unknown;
};

/** Thrown to end a function after `defer` or `fail`. */
class Ending extends Error {
  override readonly name = 'Ending';
}
export const isEnding = (error: unknown): boolean => error instanceof Ending;

const deferMs = 5 * 60_000;
/** The longest wait of one call. */
const waitSeconds = 50;

/** The helpers passed to a function. `said` is the end that it requested. */
export function createHelp(held: HeldClaim, call: ClaimCall): { help: WorkHelp; said: () => Ended | undefined } {
  let ended: Ended | undefined;
  const end = (how: Ended): never => {
    ended ??= how;
    throw new Ending('The function has ended.');
  };
  const help: WorkHelp = {
    get signal() {
      return held.signal;
    },
    report: (note, more) => held.report({ note, session: more?.session }),
    progress: (progress, note) => held.report({ progress, note }),
    defer: ({ until, reason } = {}) => {
      const notBefore = until === undefined ? new Date(Date.now() + deferMs) : new Date(until);
      return end({
        outcome: 'returned',
        notBefore: notBefore.toISOString(),
        ...(reason !== undefined && { error: cut(reason) }),
      });
    },
    fail: (reason) => end({ outcome: 'failed', error: cut(reason) }),
    async wait(ref) {
      const [plan, node] = ref.includes('/') ? ref.split('/', 2) : [held.claim.node.plan, ref];
      const asked = { plan: plan ?? '', node: node ?? '', timeoutSeconds: waitSeconds };
      for (;;) {
        const { outcome } = await call('await_node', asked, { signal: held.signal });
        if (outcome === 'done') return;
      }
    },
  };
  return { help, said: () => ended };
}

export const errorText = (error: unknown): string =>
  cut(error instanceof Error ? error.message : String(error)) || 'failed without a message';

const cut = (text: string): string => text.slice(0, 2_000);
