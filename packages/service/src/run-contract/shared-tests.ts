/** How the tests of one run ended, as its host shares it with the others. Its archive stays there. */
export type SharedTests = {
  runId: string;
  at: string;
  branch: string | null;
  commit: string | null;
  /** By its id, else by its path. */
  repository: string | null;
  repositoryName: string | null;
  path: string | null;
  suite: string | null;
  /** A line for each test: outcome, milliseconds, attempts, name, and why it was retried. */
  verdicts: string;
  /** In place of the runs of a suite that is too large to be shared. */
  isTooLarge?: true;
};
