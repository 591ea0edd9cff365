import type { ClaimCall, HeldClaim } from './held-claim.ts';

export type Defer = {
  /** Not handed out before; 5 minutes from now where only a reason is given. */
  until?: string | Date;
  /** Kept as `lastClaim.error`. */
  reason?: string;
};

export type WorkHelp = {
  /** Aborted when the work is to end; its reason is a `WorkAborted`, whose `code` says why. */
  readonly signal: AbortSignal;
  /** Leaves a note and renews the lease; `session` links the session that does the work. */
  report(note?: string, more?: { session?: string }): Promise<void>;
  /** Reports how far the work is, from 0 to 1, with a note where one is given. */
  progress(share: number, note?: string): Promise<void>;
  /** Gives the node back: it is handed out again later. Ends the function. */
  defer(how?: Defer): never;
  /** Gives the node back as failed. Ends the function. */
  fail(reason: string): never;
  /** Resolves when another node is done; `ref` is `plan/node`, or a node of the same plan. The lease is renewed meanwhile. */
  wait(ref: string): Promise<void>;
};

/** How a function ended, as it is reported to the service; the note stays as the function left it. */
export type Ended = {
  outcome: 'returned' | 'submitted' | 'failed';
  error?: string;
  notBefore?: string;
  result?: unknown;
};

/** Thrown to end a function that said how it ends. */
class Ending extends Error {
  override readonly name = 'Ending';
}
export const isEnding = (error: unknown): boolean => error instanceof Ending;

const deferMs = 5 * 60_000;
/** The longest time that a call of the service waits. */
const waitSeconds = 50;

/** What a function gets to work with. `said` is how it asked to end. */
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
