import type { ReadChanges } from './changes.ts';
import type { MergeRehearsals, Overlap, RepositoryChanges } from './contract.ts';
import type { Rehearsed } from './merge-rehearsal.ts';

/** Reads the changes of one working tree. The cost is proportional to what changed since the last check. */
export type ChangeReader = {
  /** Returns the same object if nothing changed; null if git cannot read the tree. */
  look(): Promise<ReadChanges | null>;
  close(): Promise<void>;
};

export type ChangeReaderOptions = {
  root: string;
  /** The default branch that somebody registered, if any. */
  defaultBranch: () => string | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called soon after something changed in the tree. Only a hint: the check every 30 s must find everything. */
  onChange: () => void;
};

/** Overlaps and changes in the form that commands read: joined with sessions and claims. */
export type OverlapBoard = {
  list(filter: { repository?: string | undefined; ref?: string | undefined }): Overlap[];
  /** At most `limit` files of each tree, those that overlap first. */
  changes(repository: string | undefined, limit: number): RepositoryChanges[];
  rehearse(filter: { repository?: string | undefined; of?: string | undefined }): Promise<MergeRehearsals>;
};

/** The result of merging the branches of two working trees of this host. Writes nothing into either. */
export type RehearseMerge = (one: string, other: string) => Promise<Rehearsed>;
