import type { Announcements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
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
  /** Runs `work` soon, so that a burst of changes causes one check. */
  soon: (work: () => void) => void;
  /** Called when the changes of any tree changed. */
  onChange: () => void;
  onFault: (error: unknown) => void;
};

/** The changes of this host's live working trees against their default branch. */
export type ChangeWatch = {
  all(): readonly TreeChanges[];
  start(): () => Promise<void>;
};

/** A full check this often finds everything without hints. */
const lookMs = 30_000;
const tickMs = 1_000;

type WatchedTree = {
  reader: ChangeReader;
  tree: TreeFacts;
  isHinted: boolean;
  lookedAt: number;
  read: ReadChanges | null;
  changes: TreeChanges | null;
};

/** Only one tree is read at a time, so that many simultaneous changes do not flood the machine with processes. */
export function createChangeWatch(options: ChangeWatchOptions): ChangeWatch {
  const { clock } = options;
  const trees = new WatchedTrees(options);
  let isStopped = false;
  let isScheduled = false;
  const looks = coalesced(() => trees.look(() => isStopped));
  const schedule = () => {
    if (isScheduled || isStopped) return;
    isScheduled = true;
    options.soon(() => {
      isScheduled = false;
      if (!isStopped) void looks.run();
    });
  };
  trees.onHint = schedule;
  return {
    all: () => trees.all(),
    start() {
      const stopHearing = options.announcements.listen(
        ({ type }) => type === 'agents_changed' && schedule(),
        (type) => type === 'agents_changed',
      );
      const stopTicks = clock.every(tickMs, () => {
        if (trees.isAnyDue(clock.monotonic())) schedule();
      });
      schedule();
      return async () => {
        isStopped = true;
        stopHearing();
        stopTicks();
        await looks.settled();
        await trees.close();
      };
    },
  };
}

/** The live trees of this host with their readers. */
class WatchedTrees {
  readonly #options: ChangeWatchOptions;
  readonly #watched = new Map<string, WatchedTree>();
  /** Called when a reader noticed a change. */
  onHint: () => void = () => undefined;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
  }

  all(): readonly TreeChanges[] {
    return [...this.#watched.values()].flatMap(({ changes }) => changes ?? []);
  }

  isAnyDue(now: number): boolean {
    return [...this.#watched.values()].some((one) => isDue(one, now));
  }

  async look(isStopped: () => boolean): Promise<void> {
    const { clock, onChange, onFault } = this.#options;
    try {
      if (await this.#follow()) onChange();
      const now = clock.monotonic();
      for (const one of [...this.#watched.values()]) {
        if (isStopped()) return;
        if (isDue(one, now) && (await this.#lookAt(one))) onChange();
      }
    } catch (error) {
      onFault(error);
    }
  }

  async close(): Promise<void> {
    for (const { reader } of this.#watched.values()) await reader.close();
    this.#watched.clear();
  }

  #open(tree: TreeFacts): WatchedTree {
    const { clock, openReader, defaultBranchOf } = this.#options;
    const reader = openReader({
      root: tree.root,
      defaultBranch: () => (tree.repository === null ? null : defaultBranchOf(tree.repository)),
      now: () => clock.wall(),
      onChange: () => {
        const one = this.#watched.get(tree.root);
        if (one) one.isHinted = true;
        this.onHint();
      },
    });
    return { reader, tree, isHinted: true, lookedAt: clock.monotonic(), read: null, changes: null };
  }

  /** Updates which trees are live; true if that alone changed the known facts of a tree. */
  async #follow(): Promise<boolean> {
    const { trees, host } = this.#options;
    const live = new Map(trees().flatMap((tree) => (isLive(tree, host) ? [[tree.root, tree]] : [])));
    let changed = false;
    for (const [root, one] of this.#watched) {
      if (live.has(root)) continue;
      this.#watched.delete(root);
      changed ||= one.changes !== null;
      await one.reader.close();
    }
    for (const [root, tree] of live) {
      const one = this.#watched.get(root) ?? this.#open(tree);
      this.#watched.set(root, one);
      if (one.tree === tree) continue;
      one.tree = tree;
      one.changes = changesOf(one);
      changed ||= one.changes !== null;
    }
    return changed;
  }

  async #lookAt(one: WatchedTree): Promise<boolean> {
    one.isHinted = false;
    one.lookedAt = this.#options.clock.monotonic();
    const read = await one.reader.look();
    if (read === one.read) return false;
    one.read = read;
    one.changes = changesOf(one);
    return true;
  }
}

const isDue = ({ isHinted, lookedAt }: WatchedTree, now: number): boolean => isHinted || now - lookedAt >= lookMs;

const isLive = ({ live, onDisk, host }: TreeFacts, self: string): boolean => live.length > 0 && onDisk && host === self;

function changesOf({ read, tree }: Pick<WatchedTree, 'read' | 'tree'>): TreeChanges | null {
  const { host, root, branch, repository, mainRoot } = tree;
  return read && { ...read, host, root, branch, repository: repository ?? mainRoot ?? root };
}
