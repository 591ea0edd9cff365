import type { NodeView } from '../../../live/wire.ts';
import { type Appearance, appearances } from '../../../ui/appearance.tsx';
import type { StateCount } from '../../../ui/state-bar.tsx';
import { countByAppearance, nodeAppearance, nodeUrgency } from '../../nodes/node-appearance.ts';
import { blocksOf } from './blocks.ts';
import { finished } from './grouping.ts';
import { haveSameLinks, type NodeLinks, type NodeNaming, nodeLinks } from './node-links.ts';

/** Something drawn as a card: a node, a node of another plan, or a group folded into one. */
export type Shape =
  | { kind: 'node'; id: string; node: NodeView; appearance: Appearance; title: string }
  | { kind: 'other'; id: string; appearance: Appearance; title: string; plan: string; missing: boolean }
  | {
      kind: 'group';
      id: string;
      appearance: Appearance;
      title: string;
      group: string;
      parts: readonly StateCount[];
      count: number;
    };

type Edge = readonly [from: string, to: string];

export type Drawing = {
  shapes: ReadonlyMap<string, Shape>;
  /** Stays the same object while only states change, and so do its edges. `crossing` are the keys of edges from one plan to another. */
  graph: { ids: readonly string[]; edges: readonly Edge[]; crossing: ReadonlySet<string> };
  /** Edges on the critical path. */
  critical: ReadonlySet<string>;
};

export const edgeKey = (from: string, to: string): string => `${from}>${to}`;

type FoldedGroup = { group: string; part: number; numbers: number[] };

type DrawingStructure = {
  nameOf: readonly string[];
  folded: ReadonlyMap<string, FoldedGroup>;
  graph: Drawing['graph'];
};

/** The titles of groups that have one, such as plans. Such a group is a card of its own even with a single node. */
type Titles = ReadonlyMap<string, string>;
const noTitles: Titles = new Map();

/** Turns nodes into shapes and edges. Called again with each state; an unchanged shape stays the same object. */
export function createDrawing(names: NodeNaming) {
  let links: NodeLinks | undefined;
  let structure: DrawingStructure | undefined;
  let before: { nodes: readonly NodeView[]; groups: string; path: string; critical: ReadonlySet<string> } | undefined;
  return (
    nodes: readonly NodeView[],
    groups: readonly (string | null)[],
    path: readonly string[],
    titles = noTitles,
  ): Drawing => {
    const isSame = before !== undefined && haveSameLinks(before.nodes, nodes);
    if (!links || !isSame) links = nodeLinks(nodes, names);
    const groupText = groups.join('\n');
    const isUnchanged = isSame && before?.groups === groupText;
    if (!structure || !isUnchanged) structure = structureOf(links, groups, titles);
    const pathText = path.join(' ');
    const critical = isUnchanged && before?.path === pathText ? before.critical : criticalOf(nodes, structure, path);
    before = { nodes, groups: groupText, path: pathText, critical };
    return { shapes: shapesOf(nodes, structure, links, titles), graph: structure.graph, critical };
  };
}

function structureOf(
  { names, needs, outside }: NodeLinks,
  groups: readonly (string | null)[],
  titles: Titles,
): DrawingStructure {
  const { blockOf, sizes } = blocksOf(needs, groups);
  const parts = new Map<string, number>();
  const named = new Map<number, string>();
  const folded = new Map<string, FoldedGroup>();
  const nameOf = blockOf.map((block, number) => {
    if (sizes.get(block) === 1 && !titles.has(groups[block] ?? '')) return names[number] ?? '';
    let name = named.get(block);
    if (name === undefined) {
      const group = groups[block] ?? '';
      const part = (parts.get(group) ?? 0) + 1;
      parts.set(group, part);
      name = part === 1 ? `#${group}` : `#${group} ${part}`;
      named.set(block, name);
      folded.set(name, { group, part, numbers: [] });
    }
    folded.get(name)?.numbers.push(number);
    return name;
  });
  const edges = new Map<string, Edge>();
  const crossing = new Set<string>();
  const connect = (from: string, to: string, isCrossing: boolean) => {
    if (from === to) return;
    const key = edgeKey(from, to);
    edges.set(key, [from, to]);
    if (isCrossing) crossing.add(key);
  };
  const planOf = (number: number) => (names[number] ?? '').split('/', 2).at(-2);
  for (const [to, list] of needs.entries())
    for (const from of list) connect(nameOf[from] ?? '', nameOf[to] ?? '', planOf(from) !== planOf(to));
  for (const { ref, to } of outside) connect(ref, nameOf[to] ?? '', true);
  const others = new Set(outside.map(({ ref }) => ref));
  const ids = [...new Set([...nameOf, ...others])];
  return { nameOf, folded, graph: { ids, edges: [...edges.values()], crossing } };
}

function criticalOf(nodes: readonly NodeView[], { nameOf }: DrawingStructure, path: readonly string[]): Set<string> {
  const wanted = new Set(path.map((ref) => ref.toLowerCase()));
  const names = new Map<string, string>();
  for (const [number, { ref }] of nodes.entries()) {
    const key = ref.toLowerCase();
    if (wanted.has(key)) names.set(key, nameOf[number] ?? '');
  }
  const pathNames = path.map((ref) => names.get(ref.toLowerCase()) ?? '');
  return new Set(pathNames.slice(1).map((to, at) => edgeKey(pathNames[at] ?? '', to)));
}

function shapesOf(
  nodes: readonly NodeView[],
  { nameOf, folded }: DrawingStructure,
  { outside }: NodeLinks,
  titles: Titles,
): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const [number, node] of nodes.entries()) {
    const name = nameOf[number] ?? '';
    if (shapes.has(name)) continue;
    const inside = folded.get(name);
    shapes.set(name, inside ? groupShape(name, inside, nodes, titles) : shapeOf(node, name));
  }
  for (const { ref, to } of outside) {
    const need = nodes[to]?.dependsOn.find((one) => one.ref === ref);
    const [plan = '', title = ref] = ref.split('/');
    const missing = need?.missing ?? true;
    const appearance = missing ? appearances.unknown : need?.done ? appearances.done : appearances.blocked;
    if (!shapes.has(ref)) shapes.set(ref, { kind: 'other', id: ref, appearance: appearance, title, plan, missing });
  }
  return shapes;
}

const shapeByNode = new WeakMap<NodeView, Shape>();

/** The same node is the same shape, so that a card whose node did not change is not drawn again. */
function shapeOf(node: NodeView, id: string): Shape {
  const before = shapeByNode.get(node);
  if (before?.id === id) return before;
  const shape: Shape = { kind: 'node', id, node, appearance: nodeAppearance(node), title: node.title };
  shapeByNode.set(node, shape);
  return shape;
}

function groupShape(
  id: string,
  { group, part, numbers }: FoldedGroup,
  nodes: readonly NodeView[],
  titles: Titles,
): Shape {
  const inside = numbers.flatMap((number) => nodes[number] ?? []);
  const worst = inside.reduce((a, b) => (nodeUrgency(b) < nodeUrgency(a) ? b : a));
  const name = group === finished ? 'Finished' : (titles.get(group) ?? group);
  // A group that a dependency divides becomes several cards, which a number alone would not distinguish.
  const title = part === 1 ? name : `${name}: ${inside[0]?.title} …`;
  return {
    kind: 'group',
    id,
    appearance: nodeAppearance(worst),
    title,
    group,
    parts: countByAppearance(inside),
    count: inside.length,
  };
}

/** All shapes within `hops` edges of a shape, in both directions. */
export function withinHops(start: string, edges: readonly Edge[], hops: number): Set<string> {
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
  const reached = new Set([start]);
  let ring = [start];
  for (let hop = 0; hop < hops; hop += 1) {
    ring = ring.flatMap((id) => near.get(id) ?? []).filter((id) => !reached.has(id));
    for (const id of ring) reached.add(id);
  }
  return reached;
}
