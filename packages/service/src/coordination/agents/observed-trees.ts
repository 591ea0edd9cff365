import type { SessionReader, SessionScan, WorktreeOnDisk } from './ports.ts';
import type { SessionFacts } from './session-state.ts';
import type { SessionChange } from './session-tracker.ts';
import { rootsTouchedBy, type TreeFacts, type TreeInputs, type TreeParts, treeAt, treePartsOf } from './tree.ts';

/** A working tree as it was last announced, and its JSON to compare with. */
type ComparableTree = { tree: TreeFacts; text: string };

/** The working trees of the last poll; a poll rebuilds only those affected by a change. */
export class ObservedTrees {
  #trees = new Map<string, ComparableTree>();
  #parts: TreeParts | null = null;
  #parents: ReadonlyMap<string, string> = new Map();
  #sessionsByRoot = new Map<string, Map<string, SessionFacts>>();

  all(): TreeFacts[] {
    return [...this.#trees.values()].map(({ tree }) => tree);
  }

  /** Rebuilds all of them. Returns the roots that changed. */
  rebuild(inputs: TreeInputs): string[] {
    const { roots, parts } = treePartsOf(inputs);
    this.#parts = parts;
    this.#parents = inputs.parents;
    this.#sessionsByRoot = new Map();
    for (const session of inputs.sessions) this.#place(session);
    return this.#update(new Set([...roots, ...this.#trees.keys()]), parts);
  }

  /** Applies changed sessions that stayed in their place. Returns the roots that changed. */
  update(changes: ReadonlyMap<string, SessionChange>, sessions: readonly SessionFacts[]): string[] {
    const before = this.#parts;
    if (!before) return [];
    const touched = new Set<string>();
    for (const [sessionId, change] of changes) {
      for (const facts of [change.before, change.after]) {
        for (const root of facts ? rootsTouchedBy(facts) : []) touched.add(root);
      }
      if (change.before?.tree) this.#sessionsByRoot.get(change.before.tree)?.delete(sessionId);
      if (change.after) this.#place(change.after);
    }
    for (const [root, parent] of this.#parents) if (changes.has(parent)) touched.add(root);
    const byId = (sessionId: string | undefined) => sessions.find((one) => one.sessionId === sessionId);
    const sessionsIn = (root: string) => {
      const own = [...(this.#sessionsByRoot.get(root)?.values() ?? [])];
      const parent = byId(this.#parents.get(root));
      return parent && !own.includes(parent) ? [...own, parent] : own;
    };
    return this.#update(touched, { ...before, all: sessions, sessionsIn });
  }

  #place(session: SessionFacts): void {
    if (session.tree === null) return;
    const inTree = this.#sessionsByRoot.get(session.tree);
    if (inTree) inTree.set(session.sessionId, session);
    else this.#sessionsByRoot.set(session.tree, new Map([[session.sessionId, session]]));
  }

  #update(roots: ReadonlySet<string>, parts: TreeParts): string[] {
    return [...roots].filter((root) => {
      const tree = treeAt(root, parts);
      const text = tree && JSON.stringify(tree);
      if (this.#trees.get(root)?.text === text) return false;
      if (tree && text !== undefined) this.#trees.set(root, { tree, text });
      else this.#trees.delete(root);
      return true;
    });
  }
}

/** A subagent's worktree is named after it, `agent-<id>`; its records are next to those of its session. */
const worktreeName = /[/\\]agent-([\w-]{1,64})$/;
const retryMs = 60_000;

export function createSubagentTrees(readers: readonly Pick<SessionReader, 'parentsOf'>[]) {
  const found = new Map<string, string>();
  const missedAt = new Map<string, number>();

  /** Subagents that are new or were not found some time ago, by id. */
  function unresolvedRoots(worktrees: readonly WorktreeOnDisk[], now: number): Map<string, string> {
    const roots = new Map<string, string>();
    for (const { root } of worktrees) {
      const agentId = worktreeName.exec(root)?.[1];
      if (agentId === undefined || found.has(root)) continue;
      if (now - (missedAt.get(root) ?? Number.NEGATIVE_INFINITY) >= retryMs) roots.set(agentId, root);
    }
    return roots;
  }

  return {
    /** Root of each subagent's worktree to the session that started it, where that is known. */
    async parents(worktrees: readonly WorktreeOnDisk[], now: number): Promise<ReadonlyMap<string, string>> {
      const roots = unresolvedRoots(worktrees, now);
      if (roots.size === 0) return found;
      const agentIds = new Set(roots.keys());
      const parents = await Promise.all(
        readers.map((reader) => reader.parentsOf?.(agentIds) ?? new Map<string, string>()),
      );
      for (const [agentId, root] of roots) {
        const parent = parents.map((one) => one.get(agentId)).find((one) => one !== undefined);
        if (parent === undefined) missedAt.set(root, now);
        else found.set(root, parent);
      }
      return found;
    },
  };
}

/** The directories to find in git, and which of them a living session works in. */
export type WatchedDirectories = { wanted: ReadonlyMap<string, string | null>; busy: ReadonlySet<string> };

/** Collects directories again only when a scan found an unknown one, or when all are requested. */
export function createWatchedDirectories() {
  let wanted = new Map<string, string | null>();
  return {
    /** Whether a session that changed, or a registry, names a directory that was not located yet. */
    areNew(scans: readonly SessionScan[]): boolean {
      const isNew = (cwd: string | null | undefined) => typeof cwd === 'string' && !wanted.has(cwd);
      return scans.some(
        ({ changed, entries, transcripts }) =>
          entries.some(({ cwd }) => isNew(cwd)) || [...changed].some((id) => isNew(transcripts.get(id)?.cwd)),
      );
    },
    gather(scans: readonly SessionScan[], sessions: readonly SessionFacts[]): WatchedDirectories {
      wanted = new Map();
      for (const { entries, transcripts } of scans) {
        for (const { cwd } of entries) if (cwd !== null) wanted.set(cwd, null);
        for (const { cwd, branch } of transcripts.values()) if (cwd !== null) wanted.set(cwd, branch);
      }
      for (const { cwd, branch } of sessions) if (cwd !== null && !wanted.has(cwd)) wanted.set(cwd, branch);
      const busy = new Set(sessions.flatMap(({ live, cwd }) => (live && cwd !== null ? [cwd] : [])));
      return { wanted, busy };
    },
  };
}
