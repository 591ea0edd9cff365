import type { NodeView } from '../../../live/wire.ts';

const usualMinutes = 60;

/** The longest chain of open nodes, by estimates: references from its start to its end. */
export function criticalPath(nodes: readonly NodeView[]): string[] {
  const open = new Map(nodes.filter(({ status }) => status !== 'done').map((node) => [node.ref.toLowerCase(), node]));
  const best = new Map<string, { length: number; from: string | null }>();
  const lengthOf = (ref: string): number => {
    const found = best.get(ref);
    if (found) return found.length;
    const node = open.get(ref);
    if (!node) return 0;
    best.set(ref, { length: 0, from: null });
    let from: string | null = null;
    let longest = 0;
    for (const need of node.dependsOn) {
      const key = need.ref.toLowerCase();
      const length = lengthOf(key);
      if (length > longest) [longest, from] = [length, key];
    }
    const length = longest + (node.estimateMinutes ?? usualMinutes);
    best.set(ref, { length, from });
    return length;
  };
  let end: string | null = null;
  for (const ref of open.keys()) if (lengthOf(ref) > (end === null ? 0 : lengthOf(end))) end = ref;
  const path: string[] = [];
  for (let at = end; at !== null; at = best.get(at)?.from ?? null) path.unshift(open.get(at)?.ref ?? at);
  // A single step is not a path: nothing waits for it.
  return path.length > 1 ? path : [];
}
