import type { Refusal } from '../kernel/outcome.ts';

/** A run whose proof was withdrawn, and the nodes that are no longer done because of it. */
export type WithdrawnProof = { runId: string; reopened: readonly string[] };

/** What runs prove, in a process that holds plans. */
export type Proofs = {
  /** Resolves once every run that ended before has been looked at; false where that was not possible. */
  settle(): Promise<boolean>;
  /** Takes back what a run proved and ejects it; `dryRun` only tells what that would reopen. */
  withdraw(runId: string, by: string, dryRun: boolean): Promise<WithdrawnProof | Refusal>;
};
