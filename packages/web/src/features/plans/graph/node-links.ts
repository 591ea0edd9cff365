import type { NodeView } from '../../../live/wire.ts';

/** The name of a node in the drawing: its id among nodes of one plan, its reference among those of several. */
export type NodeNaming = 'id' | 'ref';

/** The nodes by number, and their dependencies among each other. */
export type NodeLinks = {
  names: readonly string[];
  needs: readonly (readonly number[])[];
  /** Dependencies on nodes that are not among these. */
  outside: readonly { ref: string; to: number }[];
};

export function nodeLinks(nodes: readonly NodeView[], names: NodeNaming): NodeLinks {
  const numbers = new Map(nodes.map(({ ref }, number) => [ref.toLowerCase(), number]));
  const outside: { ref: string; to: number }[] = [];
  const needs = nodes.map(({ dependsOn }, to) =>
    dependsOn.flatMap(({ ref }) => {
      const number = numbers.get(ref.toLowerCase());
      if (number === undefined) outside.push({ ref, to });
      return number === undefined || number === to ? [] : [number];
    }),
  );
  return { names: nodes.map((node) => node[names]), needs, outside };
}

/** Whether two states have the same nodes with the same dependencies; status changes do not matter. */
export function haveSameLinks(a: readonly NodeView[], b: readonly NodeView[]): boolean {
  if (a.length !== b.length) return false;
  for (const [number, node] of a.entries()) {
    const other = b[number];
    if (node === other) continue;
    if (!other || node.ref !== other.ref || node.dependsOn.length !== other.dependsOn.length) return false;
    for (const [at, { ref }] of node.dependsOn.entries()) if (other.dependsOn[at]?.ref !== ref) return false;
  }
  return true;
}
