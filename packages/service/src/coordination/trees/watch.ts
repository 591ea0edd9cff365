import type { Announcements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/coalesced.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { ReadChanges } from './changes.ts';
import type { TreeChanges } from './overlaps.ts';
import type { ChangeReader, ChangeReaderOptions } from './ports.ts';

export type ChangeWatchOptions = {
  host: string;
  /** The working trees of this host. */
  trees: () => readonly TreeFacts[];
  openReader: (options: ChangeReaderOptions) => ChangeReader;
  /** The registered default branch of a repository, if any. */
  defaultBranchOf: (repository: string) => string | null;
  clock: Clock;
  announcements: Pick<Announcements, 'listen'>;
  /** Runs `work` soon, so that a burst of changes is one look. */
  soon: (work: () => void) => void;
  /** Called when the changes of any tree changed. */
  onChange: () => void;
  onFault: (error: unknown) => void;
};

/** What the live working trees of this host change against their default branch. */
export type ChangeWatch = {
  all(): readonly TreeChanges[];
  start(): () => Promise<void>;
  /** Looks at every tree that may have changed, and returns once it was read. */
  look(): Promise<void>;
};

/** Everything is found by a look this often, without any hint. */
const lookMs = 30_000;
const tickMs = 1_000;

type WatchedTree = {
  reader: ChangeReader;
  tree: TreeFacts;
  isDue: boolean;
  lookedAt: number;
  read: ReadChanges | null;
  changes: TreeChanges | null;
};

/** One tree is read at a time, so that many trees that change together do not flood the machine with processes. */
export function createChangeWatch(options: ChangeWatchOptions): ChangeWatch {
  const { clock, onFault } = options;
  const watched = new Map<string, WatchedTree>();
  let isStopped = false;
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled || isStopped) return;
    isScheduled = true;
    options.soon(() => {
      isScheduled = false;
      if (!isStopped) void looks.run();
    });
  };

  const open = (tree: TreeFacts): WatchedTree => {
    const reader = options.openReader({
      root: tree.root,
      defaultBranch: () => (tree.repository === null ? null : options.defaultBranchOf(tree.repository)),
      now: () => clock.wall(),
      onChange() {
        const one = watched.get(tree.root);
        if (one) one.isDue = true;
        schedule();
      },
    });
    return { reader, tree, isDue: true, lookedAt: clock.monotonic(), read: null, changes: null };
  };

  /** Follows which trees are live; true where what is known of one of them changed by that alone. */
  async function follow(): Promise<boolean> {
    const live = new Map(options.trees().flatMap((tree) => (isLive(tree, options.host) ? [[tree.root, tree]] : [])));
    let changed = false;
    for (const [root, one] of watched) {
      if (live.has(root)) continue;
      watched.delete(root);
      changed ||= one.changes !== null;
      await one.reader.close();
    }
    for (const [root, tree] of live) {
      const one = watched.get(root) ?? open(tree);
      watched.set(root, one);
      if (one.tree === tree) continue;
      one.tree = tree;
      one.changes = changesOf(one);
      changed ||= one.changes !== null;
    }
    return changed;
  }

  async function lookAt(one: WatchedTree): Promise<boolean> {
    one.isDue = false;
    one.lookedAt = clock.monotonic();
    const read = await one.reader.look();
    if (read === one.read) return false;
    one.read = read;
    one.changes = changesOf(one);
    return true;
  }

  const looks = coalesced(async () => {
    try {
      if (await follow()) options.onChange();
      const now = clock.monotonic();
      for (const one of [...watched.values()]) {
        if (isStopped) return;
        if ((one.isDue || now - one.lookedAt >= lookMs) && (await lookAt(one))) options.onChange();
      }
    } catch (error) {
      onFault(error);
    }
  });

  return {
    all: () => [...watched.values()].flatMap(({ changes }) => changes ?? []),
    look: () => looks.run(),
    start() {
      const stopHearing = options.announcements.listen(
        ({ type }) => type === 'agents_changed' && schedule(),
        (type) => type === 'agents_changed',
      );
      const stopTicks = clock.every(tickMs, () => {
        const now = clock.monotonic();
        if ([...watched.values()].some(({ isDue, lookedAt }) => isDue || now - lookedAt >= lookMs)) schedule();
      });
      schedule();
      return async () => {
        isStopped = true;
        stopHearing();
        stopTicks();
        await looks.settled();
        for (const { reader } of watched.values()) await reader.close();
        watched.clear();
      };
    },
  };
}

const isLive = ({ live, onDisk, host }: TreeFacts, self: string): boolean => live.length > 0 && onDisk && host === self;

function changesOf({ read, tree }: Pick<WatchedTree, 'read' | 'tree'>): TreeChanges | null {
  const { host, root, branch, repository, mainRoot } = tree;
  return read && { ...read, host, root, branch, repository: repository ?? mainRoot ?? root };
}
