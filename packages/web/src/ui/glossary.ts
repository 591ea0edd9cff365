/** One sentence for each term of the page; tooltips show it, and docs/glossary.md has the same. */
export const glossary = {
  done: 'Its evidence proves it.',
  ready: 'Its dependencies are done and nobody holds it: it can be claimed now.',
  blocked: 'A dependency is not done yet.',
  claimed: 'An agent or a person holds it under a live lease.',
  submitted: 'Its holder has finished, and its proof is awaited. It is not offered to others meanwhile.',
  failed: 'Its evidence failed. It can be claimed again.',
  running: 'Work is going on: a turn of a session, or a live run of a suite.',
  stalled: 'The session of its holder is alive and idle between turns. The lease continues.',
  orphaned: 'The session of its holder has ended. Nobody works on it until the lease ends.',
  unlinked: 'No session is known for the claim, so only its lease is known.',
  unknown: 'The state cannot be determined.',
  contested: 'Two or more live sessions work in the same working tree.',
  'waiting for you': 'The session waits for an answer or a permission of a person.',
  idle: 'The session is alive and between turns.',
  gone: 'The process of the session has ended.',
  'needs cleanup': 'A worktree of an agent is still on disk and no session uses it.',
  passed: 'Every attempt that counts passed.',
  'passed on retry': 'It failed first and passed when it was tried again: a flaky pass.',
  skipped: 'It was skipped on purpose.',
  aborted: 'It was stopped before it ended.',
  indeterminate: 'It ended without a verdict.',
  pending: 'It has not started yet.',
  unbound: 'Nothing proves the node, so it can never be done. Bind it to its evidence.',
  leverage: 'How many open nodes wait for a node, directly or not. Ready work is ordered by it.',
  holder: 'Who claimed a node.',
  lease: 'How long a claim lasts unless it is renewed by a report; 30 minutes by default.',
} as const satisfies Record<string, string>;

const entries: Readonly<Record<string, string>> = glossary;

/** The sentence for a term; undefined if it needs none. */
export const glossaryEntry = (word: string): string | undefined => entries[word.toLowerCase()];
