import type { Descriptor, TypeRef } from './contract.ts';
import type { VerdictOutcome } from './vocabulary.ts';

/** One source as it is kept. */
export type StoredSource = { source: string; pushedAt: string; descriptor: Descriptor };

/** Where sources survive a restart. What `write` and `remove` resolve to is on the disk. */
export type SourceStore = {
  /** Everything readable; what is not is skipped, and said. */
  load(): Promise<readonly StoredSource[]>;
  write(stored: StoredSource): Promise<void>;
  remove(source: string): Promise<void>;
};

/** The end of one scenario: `identity` is its uid. `touchedTypes` is null where nothing was measured. */
export type Verdict = {
  identity: string;
  outcome: VerdictOutcome;
  at: string;
  runId: string;
  /** When its run arrived; absent in what was kept before runs were stamped. */
  receivedAt?: string | undefined;
  touchedTypes: readonly TypeRef[] | null;
};

/** The newest verdict of every scenario over all runs that the console has ever seen, ejected ones included. */
export type Verdicts = {
  newest(identity: string): Verdict | undefined;
  all(): Iterable<Verdict>;
};
