import type { ObservationBatch, ObservedTreeChanges } from '../coordination/observers/contract.ts';
import { maxPathsOfObserver } from '../coordination/observers/observed-changes.ts';
import type { ChangedPath } from '../coordination/trees/changes.ts';
import type { TreeChanges } from '../coordination/trees/overlaps.ts';

/** The limit of text in one message; the rest follows in the next one. */
const maxChars = 256 * 1024;

type SentTree = { source: TreeChanges | null; about: string; paths: Map<string, string> };

export type ChangesToSend = Pick<ObservationBatch, 'changes' | 'goneChanges'> & {
  /** Whether more must be sent at once. */
  isCut: boolean;
};

/** The changes of each tree that were sent, so that only changed paths are sent again. */
export class SentChanges {
  readonly #trees = new Map<string, SentTree>();

  /** Records it as sent: after a failure a new instance sends everything again. */
  next(observed: readonly TreeChanges[]): ChangesToSend {
    const goneChanges = [...this.#trees.keys()].filter((root) => !observed.some((tree) => tree.root === root));
    for (const root of goneChanges) this.#trees.delete(root);
    const changes: ObservedTreeChanges[] = [];
    let room = maxPathsOfObserver;
    let chars = 0;
    for (const tree of observed) {
      const paths = tree.paths.slice(0, room);
      room -= paths.length;
      if (chars > maxChars) break;
      const sent = this.#trees.get(tree.root) ?? { source: null, about: '', paths: new Map<string, string>() };
      if (sent.source === tree) continue;
      this.#trees.set(tree.root, sent);
      const { message, taken } = messageOf(
        { ...tree, paths, truncated: tree.truncated || paths.length < tree.paths.length },
        sent,
        maxChars - chars,
      );
      chars += taken;
      if (chars <= maxChars) sent.source = tree;
      if (message) changes.push(message);
    }
    return { changes, goneChanges, isCut: chars > maxChars };
  }
}

/** The differences from what was sent, as many as fit into one message. */
function messageOf(
  tree: TreeChanges,
  sent: SentTree,
  room: number,
): { message: ObservedTreeChanges | null; taken: number } {
  const { host: _, paths: all, ...facts } = tree;
  const about = JSON.stringify(facts);
  const paths: ChangedPath[] = [];
  const present = new Set(all.map(({ path }) => path));
  const gonePaths = [...sent.paths.keys()].filter((path) => !present.has(path));
  for (const path of gonePaths) sent.paths.delete(path);
  let taken = 0;
  for (const one of all) {
    const text = JSON.stringify(one);
    if (sent.paths.get(one.path) === text) continue;
    sent.paths.set(one.path, text);
    paths.push(one);
    taken += text.length;
    if (taken > room) break;
  }
  const isSame = about === sent.about && paths.length + gonePaths.length === 0;
  sent.about = about;
  return { message: isSame ? null : { ...facts, paths, gonePaths }, taken };
}
