import type { Attempt } from '../../kernel/claim-view.ts';

/** Attempts that came to nothing since the node was last done, changed by its author or reset. */
export type Attempts = {
  readonly failed: number;
  /** Those that their holder gave back: only they make the next one wait. */
  readonly givenBack: number;
  /** The newest first. */
  readonly last: readonly Attempt[];
};

export const noAttempts: Attempts = { failed: 0, givenBack: 0, last: [] };

const mostKept = 5;

export function afterFailure(before: Attempts | null | undefined, attempt: Attempt): Attempts {
  const { failed, givenBack, last } = before ?? noAttempts;
  return {
    failed: failed + 1,
    givenBack: givenBack + (attempt.how === 'failed' ? 1 : 0),
    last: [attempt, ...last].slice(0, mostKept),
  };
}

const firstBackOffMs = 30_000;
const longestBackOffMs = 30 * 60_000;

/** When `claim_next` may hand a node out again that was given back as failed just now. */
export function backOffUntil(before: Attempts | null | undefined, now: string): string {
  const waitMs = Math.min(firstBackOffMs * 2 ** (before?.givenBack ?? 0), longestBackOffMs);
  return new Date(Date.parse(now) + waitMs).toISOString();
}
