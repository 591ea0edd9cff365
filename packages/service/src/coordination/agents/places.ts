import type { Place, TreeProbe, WorktreeOnDisk } from './ports.ts';
import { agentWorktreeOf } from './tree.ts';

/** Where sessions stand in git, looked up again now and then: branches change, directories go. */
export type Places = {
  byCwd(): ReadonlyMap<string, Place>;
  worktrees(): readonly WorktreeOnDisk[];
  /** Grows whenever something of the above may have changed. */
  version(): number;
  /** `wanted` maps directories to the branch recorded there; `busy` names those with a living session. */
  refresh(wanted: ReadonlyMap<string, string | null>, busy: ReadonlySet<string>, now: number): Promise<void>;
};

const everyMs = { busy: 8_000, quiet: 90_000, busyRoots: 5_000 };
/** Quiet ones looked up again at one time, so that no look is a long one. */
const mostQuiet = 40;

export function createPlaces(probe: TreeProbe): Places {
  const places = new Map<string, Place>();
  const onDisk = new Map<string, readonly WorktreeOnDisk[]>();
  const dueCwds = createQueue(everyMs.busy, everyMs.quiet);
  const dueRoots = createQueue(everyMs.busyRoots, everyMs.quiet);
  let version = 0;

  async function locate(cwd: string, branch: string | null): Promise<void> {
    const before = places.get(cwd);
    const found = await probe.locate(cwd, branch);
    if (before && isSame(before, found)) return;
    places.set(cwd, found);
    version++;
    if (before && !(found.onDisk && found.root === before.root)) lookAgainIn(new Set([before.root]));
  }

  /** Whoever moved or removed a tree wants to see it gone, not when its quiet directories are due. */
  function lookAgainIn(roots: ReadonlySet<string | null>): void {
    for (const [cwd, { root }] of places) if (root !== null && roots.has(root)) dueCwds.soon(cwd);
  }

  async function listWorktrees(mainRoot: string): Promise<void> {
    const found = await probe.worktreesOf(mainRoot);
    const before = onDisk.get(mainRoot) ?? [];
    if (found.length + before.length === 0) return;
    onDisk.set(mainRoot, found);
    version++;
    const there = new Set(found.map(({ root }) => root));
    lookAgainIn(new Set(before.map(({ root }) => root).filter((root) => !there.has(root))));
  }

  return {
    byCwd: () => places,
    worktrees: () => [...onDisk.values()].flat(),
    version: () => version,
    async refresh(wanted, busy, now) {
      for (const cwd of places.keys()) if (!wanted.has(cwd)) places.delete(cwd);
      const cwds = dueCwds.take(wanted.keys(), busy, now);
      await Promise.all(cwds.map((cwd) => locate(cwd, wanted.get(cwd) ?? null)));

      const roots = new Set([...places.values()].flatMap(rootsOf));
      for (const root of onDisk.keys()) if (!roots.has(root)) onDisk.delete(root);
      const used = new Set([...busy].flatMap((cwd) => places.get(cwd)?.mainRoot ?? []));
      for (const [root, trees] of onDisk) if (trees.length > 0) used.add(root);
      await Promise.all(dueRoots.take(roots, used, now).map(listWorktrees));
    },
  };
}

/** Where agents put worktrees: into the repository, or into the linked worktree that they were started in. */
const rootsOf = ({ root, mainRoot }: Place): string[] => {
  const around = root === null ? undefined : agentWorktreeOf(root)?.mainRoot;
  return [mainRoot, around].filter((one) => typeof one === 'string');
};

/** What is due to be looked up: the new at once, the busy often, the quiet seldom and a few at a time. */
function createQueue(busyMs: number, quietMs: number) {
  const lastAt = new Map<string, number>();
  return {
    soon: (name: string) => void lastAt.delete(name),
    take(all: Iterable<string>, busy: ReadonlySet<string>, now: number): string[] {
      const names = new Set(all);
      for (const name of lastAt.keys()) if (!names.has(name)) lastAt.delete(name);
      let quiet = 0;
      const due = [...names].filter((name) => {
        const before = lastAt.get(name);
        if (before === undefined) return true;
        if (busy.has(name)) return now - before >= busyMs;
        return now - before >= quietMs && ++quiet <= mostQuiet;
      });
      for (const name of due) lastAt.set(name, now);
      return due;
    },
  };
}

const isSame = (a: Place, b: Place): boolean => (Object.keys(b) as (keyof Place)[]).every((key) => a[key] === b[key]);
