import type { SessionFacts } from '../agents/session-facts.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { RetriedTest } from '../runs/ports.ts';
import type { TreeChanges } from '../trees/overlaps.ts';

/** A run as its host shares it: enough for lists and totals over many runs. Its archive stays on that host. */
export type SharedRun = { run: RunSummary; retried: readonly RetriedTest[] };

/** The newest verdict of one scenario; only the console reads the rest of it. */
export type SharedVerdict = { identity: string; at: string; runId: string; receivedAt?: string | undefined };

/** The body of each kind of shared item. Of a model only the name is shared: it stays where it was pushed. */
export type SharedByKind = {
  session: SessionFacts;
  tree: TreeFacts;
  /** What a live working tree changes: paths and line numbers. */
  changes: TreeChanges;
  run: SharedRun;
  verdict: SharedVerdict;
  model: { name: string };
  /** A repository of which this host has a local clone, `owner/name` in lower case. */
  clone: { repository: string };
};
export type SharedKind = keyof SharedByKind;
