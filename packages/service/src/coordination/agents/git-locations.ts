import type { GitLocation, TreeProbe, WorktreeOnDisk } from './ports.ts';
import { agentWorktreeOf } from './tree.ts';

/** Git locations of the sessions' directories, refreshed periodically, because branches change and directories disappear. */
export type GitLocations = {
  byCwd(): ReadonlyMap<string, GitLocation>;
  worktrees(): readonly WorktreeOnDisk[];
  /** `version` increases whenever a location changes, `worktreesVersion` whenever a worktree does. */
  version(): number;
  worktreesVersion(): number;
  /** `wanted` maps directories to the branch recorded there; `busy` lists those with a live session. */
  refresh(wanted: ReadonlyMap<string, string | null>, busy: ReadonlySet<string>, now: number): Promise<void>;
};

const recheckMs = { busy: 8_000, quiet: 90_000, busyRoots: 5_000 };
/** Maximum number of quiet directories in one refresh, to keep it short. */
const maxQuietPerRefresh = 40;

export function createGitLocations(probe: TreeProbe): GitLocations {
  const locations = new Map<string, GitLocation>();
  const onDisk = new Map<string, readonly WorktreeOnDisk[]>();
  const cwdSchedule = createRecheckSchedule(recheckMs.busy, recheckMs.quiet);
  const rootSchedule = createRecheckSchedule(recheckMs.busyRoots, recheckMs.quiet);
  let version = 0;
  let worktreesVersion = 0;

  async function locate(cwd: string, branch: string | null): Promise<void> {
    const before = locations.get(cwd);
    const found = await probe.locate(cwd, branch);
    if (before && isSame(before, found)) return;
    locations.set(cwd, found);
    version++;
    if (before && !(found.onDisk && found.root === before.root)) recheckIn(new Set([before.root]));
  }

  /** A tree that was moved or removed must disappear immediately, not when its quiet directories are due. */
  function recheckIn(roots: ReadonlySet<string | null>): void {
    for (const [cwd, { root }] of locations) if (root !== null && roots.has(root)) cwdSchedule.recheckNow(cwd);
  }

  async function listWorktrees(mainRoot: string): Promise<void> {
    const found = await probe.worktreesOf(mainRoot);
    const before = onDisk.get(mainRoot) ?? [];
    if (found.length === before.length && found.every((one, at) => isSame(one, before[at]))) return;
    onDisk.set(mainRoot, found);
    worktreesVersion++;
    const presentRoots = new Set(found.map(({ root }) => root));
    recheckIn(new Set(before.map(({ root }) => root).filter((root) => !presentRoots.has(root))));
  }

  return {
    byCwd: () => locations,
    worktrees: () => [...onDisk.values()].flat(),
    version: () => version,
    worktreesVersion: () => worktreesVersion,
    async refresh(wanted, busy, now) {
      for (const cwd of locations.keys()) if (!wanted.has(cwd)) locations.delete(cwd);
      const cwds = cwdSchedule.takeDue(wanted.keys(), busy, now);
      await Promise.all(cwds.map((cwd) => locate(cwd, wanted.get(cwd) ?? null)));

      const roots = new Set([...(probe.worktreeHomes ?? []), ...[...locations.values()].flatMap(rootsOf)]);
      for (const root of onDisk.keys()) if (!roots.has(root)) onDisk.delete(root);
      const used = new Set([...busy].flatMap((cwd) => locations.get(cwd)?.mainRoot ?? []));
      for (const [root, trees] of onDisk) if (trees.length > 0) used.add(root);
      await Promise.all(rootSchedule.takeDue(roots, used, now).map(listWorktrees));
    },
  };
}

/** The places where agents create worktrees: the repository, or the linked worktree that they were started in. */
const rootsOf = ({ root, mainRoot }: GitLocation): string[] => {
  const enclosingRoot = root === null ? undefined : agentWorktreeOf(root)?.mainRoot;
  return [mainRoot, enclosingRoot].filter((one) => typeof one === 'string');
};

/** Which directories are due: new ones now, busy ones often, quiet ones rarely and a few at a time. */
function createRecheckSchedule(busyMs: number, quietMs: number) {
  const lastAt = new Map<string, number>();
  return {
    recheckNow: (name: string) => void lastAt.delete(name),
    takeDue(all: Iterable<string>, busy: ReadonlySet<string>, now: number): string[] {
      const names = new Set(all);
      for (const name of lastAt.keys()) if (!names.has(name)) lastAt.delete(name);
      let quiet = 0;
      const due = [...names].filter((name) => {
        const before = lastAt.get(name);
        if (before === undefined) return true;
        if (busy.has(name)) return now - before >= busyMs;
        return now - before >= quietMs && ++quiet <= maxQuietPerRefresh;
      });
      for (const name of due) lastAt.set(name, now);
      return due;
    },
  };
}

function isSame<Location extends GitLocation>(a: Location, b: Location | undefined): boolean {
  for (const key in a) if (a[key] !== b?.[key]) return false;
  return b !== undefined;
}
