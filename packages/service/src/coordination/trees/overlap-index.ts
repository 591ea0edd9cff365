import type { Announcements } from '../../kernel/announcements.ts';
import type { TreeFacts } from '../agents/tree.ts';
import { isSameFile, type OverlapFacts, overlapKey, overlapsOf, type TreeChanges, treeKey } from './overlaps.ts';

type OfRepository = { trees: readonly TreeChanges[]; overlaps: readonly OverlapFacts[] };
type Place = Pick<TreeChanges, 'host' | 'root'>;

/** An overlap of a tree that a session works in, and the live sessions of the other trees. */
export type SessionOverlap = {
  overlap: OverlapFacts;
  others: readonly { root: string; branch: string | null; sessions: readonly string[] }[];
};

const maxPathsAnnounced = 100;

/** The overlaps of all live trees of all hosts, computed again only for repositories in which a tree changed. */
export class OverlapIndex {
  readonly #changes: () => readonly TreeChanges[];
  readonly #announcements: Pick<Announcements, 'announce'>;
  #byRepository = new Map<string, OfRepository>();
  #byTree = new Map<string, OverlapFacts[]>();

  constructor(changes: () => readonly TreeChanges[], announcements: Pick<Announcements, 'announce'>) {
    this.#changes = changes;
    this.#announcements = announcements;
  }

  all(): readonly OverlapFacts[] {
    return [...this.#byRepository.values()].flatMap(({ overlaps }) => overlaps);
  }

  ofTree(place: Place): readonly OverlapFacts[] {
    return this.#byTree.get(treeKey(place)) ?? [];
  }

  /** The overlaps of a session in the currently observed trees. */
  bySession(trees: () => readonly TreeFacts[]) {
    return {
      overlapsOf: (sessionId: string) => this.ofSession(sessionId, trees()),
      changedSince: (sessionId: string, since: string) => this.#changedSince(sessionId, trees(), since),
    };
  }

  /** The overlaps in every tree that the session works in, including those of its subagents. */
  ofSession(sessionId: string, trees: readonly TreeFacts[]): SessionOverlap[] {
    const own = new Set(trees.filter(({ live }) => live.includes(sessionId)).map(treeKey));
    const found = new Set([...own].flatMap((key) => this.#byTree.get(key) ?? []));
    return [...found].map((overlap) => ({
      overlap,
      others: overlap.trees
        .filter((tree) => !own.has(treeKey(tree)))
        .map((tree) => {
          const sessions = trees.find((one) => treeKey(one) === treeKey(tree))?.live ?? [];
          return { root: tree.root, branch: tree.branch, sessions };
        }),
    }));
  }

  /** Paths that the trees of a session began to change after `since`. */
  #changedSince(sessionId: string, trees: readonly TreeFacts[], since: string): string[] {
    const own = new Set(trees.filter(({ live }) => live.includes(sessionId)).map(treeKey));
    const paths = this.changes().flatMap((tree) => (own.has(treeKey(tree)) ? tree.paths : []));
    return paths.filter((one) => one.since >= since).map(({ path }) => path);
  }

  changes(): readonly TreeChanges[] {
    return [...this.#byRepository.values()].flatMap(({ trees }) => trees);
  }

  changesOf(place: Place): TreeChanges | undefined {
    return this.changes().find((tree) => treeKey(tree) === treeKey(place));
  }

  /** Other live trees that already change a path of this one. */
  othersChanging(place: Place, path: string): readonly TreeChanges[] {
    const own = this.changesOf(place);
    const trees = own ? (this.#byRepository.get(own.repository.toLowerCase())?.trees ?? []) : [];
    return trees.filter((tree) => {
      if (!own || tree === own) return false;
      return tree.paths.some((one) => isSameFile({ tree: own, path }, { tree, path: one.path }));
    });
  }

  /** Call it when the changes of a tree changed, here or on another host. */
  refresh(): void {
    const before = this.#byRepository;
    const groups = new Map<string, TreeChanges[]>();
    for (const tree of this.#changes()) {
      const key = tree.repository.toLowerCase();
      groups.set(key, [...(groups.get(key) ?? []), tree]);
    }
    this.#byRepository = new Map();
    for (const [key, trees] of groups) {
      // A fixed order, so that the list does not depend on the order of discovery.
      trees.sort((a, b) => (treeKey(a) < treeKey(b) ? -1 : 1));
      const known = before.get(key);
      const isSame = known?.trees.length === trees.length && known.trees.every((tree, at) => tree === trees[at]);
      this.#byRepository.set(key, isSame && known ? known : { trees, overlaps: overlapsOf(trees) });
    }
    this.#byTree = new Map();
    for (const overlap of this.all())
      for (const tree of overlap.trees) {
        const key = treeKey(tree);
        const known = this.#byTree.get(key);
        if (known) known.push(overlap);
        else this.#byTree.set(key, [overlap]);
      }
    for (const key of new Set([...before.keys(), ...groups.keys()]))
      this.#announce(before.get(key), this.#byRepository.get(key));
  }

  #announce(before: OfRepository | undefined, after: OfRepository | undefined): void {
    if (before === after) return;
    const repository = (after ?? before)?.trees[0]?.repository ?? '';
    const old = new Map(before?.overlaps.map((one) => [overlapKey(one), one.path]));
    const now = new Map(after?.overlaps.map((one) => [overlapKey(one), one.path]));
    const moved = [...old].filter(([key]) => !now.has(key)).concat([...now].filter(([key]) => !old.has(key)));
    const paths = [...new Set(moved.map(([, path]) => path))].slice(0, maxPathsAnnounced);
    this.#announcements.announce({ type: 'overlap_changed', data: { repository, paths } });
  }
}
