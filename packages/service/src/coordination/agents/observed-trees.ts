import type { SessionFacts } from './session-facts.ts';
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

  /** Applies changed sessions whose location did not change. Returns the roots that changed. */
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
