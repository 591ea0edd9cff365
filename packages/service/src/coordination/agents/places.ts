import type { Place, TreeProbe, WorktreeOnDisk } from './ports.ts';

type Looked = { place: Place; at: number };

/** Where sessions stand in git, looked up again now and then: branches change, directories go. */
export type Places = {
  byCwd(): ReadonlyMap<string, Place>;
  worktrees(): readonly WorktreeOnDisk[];
  /** `wanted` maps directories to the branch recorded there; `busy` names those with a living session. */
  refresh(wanted: ReadonlyMap<string, string | null>, busy: ReadonlySet<string>, now: number): Promise<void>;
};

const everyMs = { busy: 4_000, quiet: 60_000, worktrees: 4_000 };
/** Quiet directories looked up again at one time, so that no look is a long one. */
const mostQuiet = 40;

export function createPlaces(probe: TreeProbe): Places {
  const looked = new Map<string, Looked>();
  let places = new Map<string, Place>();
  let worktrees: readonly WorktreeOnDisk[] = [];
  let worktreesAt = Number.NEGATIVE_INFINITY;

  function due(wanted: ReadonlyMap<string, string | null>, busy: ReadonlySet<string>, now: number): string[] {
    const all = [...wanted.keys()].filter((cwd) => {
      const before = looked.get(cwd);
      return !before || now - before.at >= (busy.has(cwd) ? everyMs.busy : everyMs.quiet);
    });
    const quiet = all.filter((cwd) => looked.has(cwd) && !busy.has(cwd));
    const later = new Set(quiet.slice(mostQuiet));
    return all.filter((cwd) => !later.has(cwd));
  }

  return {
    byCwd: () => places,
    worktrees: () => worktrees,
    async refresh(wanted, busy, now) {
      for (const cwd of looked.keys()) if (!wanted.has(cwd)) looked.delete(cwd);
      await Promise.all(
        due(wanted, busy, now).map(async (cwd) => {
          looked.set(cwd, { place: await probe.locate(cwd, wanted.get(cwd) ?? null), at: now });
        }),
      );
      places = new Map([...looked].map(([cwd, { place }]) => [cwd, place]));
      if (now - worktreesAt < everyMs.worktrees) return;
      worktreesAt = now;
      const roots = new Set([...places.values()].flatMap(({ mainRoot }) => mainRoot ?? []));
      worktrees = (await Promise.all([...roots].map((root) => probe.worktreesOf(root)))).flat();
    },
  };
}
