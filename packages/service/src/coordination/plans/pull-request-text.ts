import type { PullRequestBinding } from './binding.ts';

// Separate from the schema of a binding, because the page uses this and loads no schemas.

/** What a pull request binding waits for, as text: "acme/shop#12", "acme/shop, head fix-prices". */
export function describePullRequest({ pullRequest, repository, branch }: PullRequestBinding): string {
  if (pullRequest !== undefined) return pullRequest;
  return `of ${repository} ${branch === undefined ? 'with its trailer' : `from ${branch}`}`;
}

/** The line of a commit or pull request that names the node that it finishes. */
export const trailerOf = (ref: string): string => `Plan-Node: ${ref}`;
