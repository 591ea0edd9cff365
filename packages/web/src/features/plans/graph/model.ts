import type { NodeView, PlanStatus } from '../../../live/wire.ts';
import { nodeLook } from '../../../node/look.ts';
import { type Look, looks } from '../../../ui/tone.tsx';

/** Something drawn as a card: a node, a node of another plan, or finished work folded into one. */
export type Shape =
  | { kind: 'node'; id: string; node: NodeView; look: Look; title: string }
  | { kind: 'other'; id: string; look: Look; title: string; plan: string; missing: boolean }
  | { kind: 'folded'; id: string; look: Look; title: string; count: number };

export type Drawn = {
  shapes: ReadonlyMap<string, Shape>;
  edges: readonly (readonly [from: string, to: string])[];
  /** Edges on the longest way to the end that is still to go. */
  critical: ReadonlySet<string>;
};

export const edgeKey = (from: string, to: string): string => `${from}>${to}`;
const foldedId = '#finished';

/** The plan as shapes and edges. `fold` puts finished work that nothing open touches into one card. */
export function drawnOf({ nodes, slug }: PlanStatus, fold: boolean): Drawn {
  const own = `${slug.toLowerCase()}/`;
  const byId = new Map(nodes.map((node) => [node.id.toLowerCase(), node]));
  const openUsers = new Set(nodes.filter(({ status }) => status !== 'done').flatMap(needsOf));
  const folded = new Set(
    fold
      ? nodes.filter((node) => node.status === 'done' && !openUsers.has(node.ref.toLowerCase())).map(({ id }) => id)
      : [],
  );
  const shapes = new Map<string, Shape>();
  const edges = new Map<string, readonly [string, string]>();
  const connect = (from: string, to: string) => from !== to && edges.set(edgeKey(from, to), [from, to]);
  const nameOf = (id: string) => (folded.has(id) ? foldedId : id);
  if (folded.size > 0)
    shapes.set(foldedId, { kind: 'folded', id: foldedId, look: looks.done, title: 'Finished', count: folded.size });
  for (const node of nodes) if (!folded.has(node.id)) shapes.set(node.id, shapeOf(node));
  for (const node of nodes)
    for (const { ref, done, missing } of node.dependsOn) {
      if (ref.toLowerCase().startsWith(own)) {
        const needed = byId.get(ref.slice(own.length).toLowerCase());
        if (needed) connect(nameOf(needed.id), nameOf(node.id));
        continue;
      }
      if (folded.has(node.id)) continue;
      const [plan = '', id = ref] = ref.split('/');
      const look = missing ? looks.unknown : done ? looks.done : looks.blocked;
      shapes.set(ref, { kind: 'other', id: ref, look, title: id, plan, missing });
      connect(ref, node.id);
    }
  return { shapes, edges: [...edges.values()], critical: criticalOf(nodes, own) };
}

const shapesOf = new WeakMap<NodeView, Shape>();

/** The same node is the same shape, so that a card whose node did not change is not drawn again. */
function shapeOf(node: NodeView): Shape {
  const before = shapesOf.get(node);
  if (before) return before;
  const shape: Shape = { kind: 'node', id: node.id, node, look: nodeLook(node), title: node.title };
  shapesOf.set(node, shape);
  return shape;
}

const needsOf = ({ dependsOn }: NodeView): string[] => dependsOn.map(({ ref }) => ref.toLowerCase());

/** The longest chain of what is not done, by estimates; 60 minutes where there is none. */
function criticalOf(nodes: readonly NodeView[], own: string): Set<string> {
  const open = new Map(nodes.filter(({ status }) => status !== 'done').map((node) => [node.ref.toLowerCase(), node]));
  const best = new Map<string, { length: number; from: string | null }>();
  const lengthOf = (ref: string): number => {
    const known = best.get(ref);
    if (known) return known.length;
    const node = open.get(ref);
    if (!node) return 0;
    best.set(ref, { length: 0, from: null });
    let from: string | null = null;
    let longest = 0;
    for (const need of needsOf(node)) {
      const length = need.startsWith(own) ? lengthOf(need) : 0;
      if (length > longest) [longest, from] = [length, need];
    }
    const length = longest + (node.estimateMinutes ?? 60);
    best.set(ref, { length, from });
    return length;
  };
  let end: string | null = null;
  for (const ref of open.keys()) if (lengthOf(ref) > (end === null ? 0 : lengthOf(end))) end = ref;
  const edges = new Set<string>();
  for (let at = end; at !== null; ) {
    const from: string | null = best.get(at)?.from ?? null;
    const [a, b] = [from === null ? undefined : open.get(from), open.get(at)];
    if (a && b) edges.add(edgeKey(a.id, b.id));
    at = from;
  }
  return edges;
}

/** Everything within so many steps of a shape, along edges in both directions. */
export function around(start: string, edges: Drawn['edges'], hops: number): Set<string> {
  const near = new Map<string, string[]>();
  const put = (id: string, other: string) => {
    const list = near.get(id);
    if (list) list.push(other);
    else near.set(id, [other]);
  };
  for (const [from, to] of edges) {
    put(from, to);
    put(to, from);
  }
  const seen = new Set([start]);
  let ring = [start];
  for (let hop = 0; hop < hops; hop += 1) {
    ring = ring.flatMap((id) => near.get(id) ?? []).filter((id) => !seen.has(id));
    for (const id of ring) seen.add(id);
  }
  return seen;
}
