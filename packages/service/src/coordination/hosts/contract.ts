import type { SessionFacts } from '../agents/facts.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { Retried } from '../runs/ports.ts';

/** A run as its host shares it: what lists and reckonings over many runs need. Its archive stays where it is. */
export type SharedRun = { run: RunSummary; retried: readonly Retried[] };

/** The newest verdict of one scenario; only the console looks further into it. */
export type SharedVerdict = { identity: string; at: string; runId: string };

/** What the items of each kind are. A model is told of by name only: it stays where it was pushed. */
export type Shared = {
  session: SessionFacts;
  tree: TreeFacts;
  run: SharedRun;
  verdict: SharedVerdict;
  model: { name: string };
  /** A repository that this host can look into, `owner/name` in lower case. */
  clone: { repository: string };
};
export type Kind = keyof Shared;
