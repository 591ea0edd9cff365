import type { PlanStatus } from '../../live/wire.ts';

/**
 * Keeps every unchanged node as the same object, so that React does not render it again. The query library does the
 * same, but this takes only a few milliseconds for two thousand nodes.
 */
export function shareStatus(before: unknown, after: unknown): unknown {
  if (!isStatus(before) || !isStatus(after)) return after;
  const [old, next] = [before, after];
  const byId = new Map(old.nodes.map((node) => [node.id, node]));
  let changed = old.nodes.length !== next.nodes.length;
  const nodes = next.nodes.map((node, index) => {
    const earlier = byId.get(node.id);
    const shared = earlier && isEqual(earlier, node) ? earlier : node;
    if (shared !== old.nodes[index]) changed = true;
    return shared;
  });
  return { ...next, nodes: changed ? nodes : old.nodes };
}

const isStatus = (value: unknown): value is PlanStatus =>
  typeof value === 'object' && value !== null && 'nodes' in value;

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  // Names such as `constructor` are inherited by every object.
  for (const name in left) if (!Object.hasOwn(right, name) || !isEqual(left[name], right[name])) return false;
  for (const name in right) if (!Object.hasOwn(left, name)) return false;
  return true;
}
