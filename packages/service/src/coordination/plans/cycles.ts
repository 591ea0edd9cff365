/** What a node depends on, by key. */
export type DependsOn = (key: string) => Iterable<string>;

type Frame = { key: string; next: Iterator<string> };

/**
 * The first cycle that can be reached from any of `starts`, as the keys along it with the first one repeated at the end.
 * Walks with a stack of its own: a chain of any length fits.
 */
export function findCycle(starts: Iterable<string>, dependsOn: DependsOn): string[] | undefined {
  const finished = new Set<string>();
  const open = new Set<string>();
  const stack: Frame[] = [];
  const enter = (key: string) => {
    open.add(key);
    stack.push({ key, next: dependsOn(key)[Symbol.iterator]() });
  };
  for (const start of starts) {
    if (!finished.has(start)) enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const step = top.next.next();
      if (step.done) {
        stack.pop();
        open.delete(top.key);
        finished.add(top.key);
      } else if (open.has(step.value)) {
        const path = stack.map((frame) => frame.key);
        return [...path.slice(path.indexOf(step.value)), step.value];
      } else if (!finished.has(step.value)) {
        enter(step.value);
      }
    }
  }
  return undefined;
}

/** The way from one vertex to another along `edges`, both ends included. */
export function pathBetween(from: number, to: number, edges: readonly (readonly number[])[]): number[] | undefined {
  const cameFrom = new Map<number, number>([[from, -1]]);
  const stack = [from];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current === to) return pathTo(to, cameFrom);
    for (const next of edges[current] ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, current);
      stack.push(next);
    }
  }
  return undefined;
}

function pathTo(end: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path: number[] = [];
  for (let current = end; current >= 0; current = cameFrom.get(current) ?? -1) path.push(current);
  return path.reverse();
}
