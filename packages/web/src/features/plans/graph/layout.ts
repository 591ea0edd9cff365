/** Sizes of the drawing in pixels at 1:1. */
export const card = { width: 190, height: 54 } as const;
export const pitch = { x: 250, y: 78 } as const;

export type CardPosition = { x: number; y: number; layer: number };
export type Graph = { ids: readonly string[]; edges: readonly (readonly [from: string, to: string])[] };

const sweeps = 10;

/**
 * Layers from left to right: a dependency is left of its dependents, cards never overlap, and the same graph is
 * always drawn the same way. Status is not an input, so a card never moves because its state changed.
 */
export function layeredLayout({ ids, edges }: Graph): Map<string, CardPosition> {
  const index = new Map(ids.map((id, at) => [id, at]));
  const before: number[][] = ids.map(() => []);
  const after: number[][] = ids.map(() => []);
  for (const [from, to] of edges) {
    const [a, b] = [index.get(from), index.get(to)];
    if (a === undefined || b === undefined || a === b) continue;
    before[b]?.push(a);
    after[a]?.push(b);
  }
  const alone = ids.map((_, at) => before[at]?.length === 0 && after[at]?.length === 0);
  const layerOf = layersOf(before, after);
  const layers = ordered(layerOf, alone, before, after);
  const ys = heights(layers, before, after);
  return placed(ids, layerOf, layers, ys, alone);
}

/** The longest path from a start; a node without dependencies is placed just before its first dependent. */
function layersOf(before: readonly number[][], after: readonly number[][]): number[] {
  const layer = before.map(() => 0);
  const open = before.map((list) => list.length);
  const queue = open.flatMap((count, at) => (count === 0 ? [at] : []));
  for (const at of queue) {
    for (const next of after[at] ?? []) {
      layer[next] = Math.max(layer[next] ?? 0, (layer[at] ?? 0) + 1);
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0) queue.push(next);
    }
  }
  for (const [at, needs] of before.entries()) {
    const users = after[at] ?? [];
    if (needs.length === 0 && users.length > 0) layer[at] = Math.min(...users.map((to) => layer[to] ?? 0)) - 1;
  }
  return layer;
}

/**
 * Nodes of each layer in an order that crosses few lines: sweeps to the right by dependencies and back by dependents.
 */
function ordered(
  layerOf: readonly number[],
  alone: readonly boolean[],
  before: readonly number[][],
  after: readonly number[][],
): number[][] {
  const layers: number[][] = [];
  for (const [at, layer] of layerOf.entries()) {
    if (alone[at]) continue;
    const known = layers[layer];
    if (known) known.push(at);
    else layers[layer] = [at];
  }
  const rank = layerOf.map(() => 0);
  const number = (layer: readonly number[]) => {
    for (const [position, at] of layer.entries()) rank[at] = position / layer.length;
  };
  for (const layer of layers) number(layer);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const toRight = sweep % 2 === 0;
    const neighbours = toRight ? before : after;
    for (const layer of toRight ? layers : layers.toReversed()) {
      const weight = new Map(layer.map((at) => [at, mean(neighbours[at] ?? [], rank) ?? rank[at] ?? 0]));
      layer.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0) || (rank[a] ?? 0) - (rank[b] ?? 0) || a - b);
      number(layer);
    }
  }
  return layers;
}

function mean(list: readonly number[], of: readonly number[]): number | null {
  if (list.length === 0) return null;
  return list.reduce((sum, at) => sum + (of[at] ?? 0), 0) / list.length;
}

/** Each card is placed as near to its neighbours as the order of its layer and the minimum distance allow. */
function heights(layers: readonly number[][], before: readonly number[][], after: readonly number[][]): number[] {
  const y: number[] = [];
  for (const layer of layers)
    for (const [position, at] of layer.entries()) y[at] = (position - layer.length / 2) * pitch.y;
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const toRight = sweep % 2 === 0;
    for (const layer of toRight ? layers : layers.toReversed()) {
      const wanted = layer.map((at) => {
        const near = mean((toRight ? before : after)[at] ?? [], y);
        const other = mean((toRight ? after : before)[at] ?? [], y);
        return near === null ? (other ?? y[at] ?? 0) : other === null ? near : near * 0.75 + other * 0.25;
      });
      const places = spread(wanted, pitch.y);
      for (const [position, at] of layer.entries()) y[at] = places[position] ?? 0;
    }
  }
  return y;
}

/**
 * The heights that keep order and distance with the least movement: neighbours that would overlap are pooled and share
 * their mean.
 */
export function spread(wanted: readonly number[], distance: number): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const [position, value] of wanted.entries()) {
    pools.push({ sum: value - position * distance, count: 1 });
    for (;;) {
      const [last, previous] = [pools.at(-1), pools.at(-2)];
      if (!last || !previous || previous.sum / previous.count <= last.sum / last.count) break;
      pools.splice(-2, 2, { sum: previous.sum + last.sum, count: previous.count + last.count });
    }
  }
  return pools
    .flatMap(({ sum, count }) => Array<number>(count).fill(sum / count))
    .map((value, at) => value + at * distance);
}

/** Nodes without edges are placed below each other, because a node beside another would look like its next step. */
const lonelyInColumn = 6;

/** Coordinates are whole pixels from 0 on; nodes without edges form their own group below. */
function placed(
  ids: readonly string[],
  layerOf: readonly number[],
  layers: readonly number[][],
  ys: readonly number[],
  alone: readonly boolean[],
): Map<string, CardPosition> {
  const drawn = layers.flat();
  const top = drawn.reduce((least, at) => Math.min(least, ys[at] ?? 0), Number.POSITIVE_INFINITY);
  const first = layers.findIndex((layer) => layer !== undefined);
  const bottom = drawn.reduce((most, at) => Math.max(most, (ys[at] ?? 0) - top + pitch.y), 0);
  const shelf = bottom + (drawn.length > 0 ? pitch.y / 2 : 0);
  const inColumn = Math.max(lonelyInColumn, Math.ceil(Math.sqrt(alone.filter(Boolean).length)));
  const positions = new Map<string, CardPosition>();
  let lonely = 0;
  for (const [at, id] of ids.entries()) {
    if (alone[at]) {
      const [column, row] = [Math.floor(lonely / inColumn), lonely % inColumn];
      positions.set(id, { x: column * pitch.x, y: shelf + row * pitch.y, layer: column });
      lonely += 1;
    } else {
      const layer = (layerOf[at] ?? 0) - first;
      positions.set(id, { x: layer * pitch.x, y: Math.round((ys[at] ?? 0) - top), layer });
    }
  }
  return positions;
}
