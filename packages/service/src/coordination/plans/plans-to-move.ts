import { keyOf } from './key.ts';
import type { Plan } from './plan.ts';
import { parseRef } from './refs.ts';

/**
 * The plans that were archived before that instant and that no remaining plan depends on. A plan from a plan file
 * stays, because its file would bring it back.
 */
export function plansToMove(plans: Iterable<Plan>, before: string): Plan[] {
  const all = [...plans];
  const isOld = ({ archivedAt, source }: Plan) => archivedAt !== null && archivedAt < before && source !== 'file';
  const moving = new Map(all.filter(isOld).map((plan) => [keyOf(plan.slug), plan]));
  for (let size = -1; size !== moving.size; ) {
    size = moving.size;
    for (const plan of all) if (!moving.has(keyOf(plan.slug))) for (const slug of neededBy(plan)) moving.delete(slug);
  }
  return [...moving.values()];
}

function* neededBy({ slug, nodes }: Plan): Iterable<string> {
  for (const { dependsOn } of nodes.values()) for (const ref of dependsOn) yield keyOf(parseRef(ref, slug).plan);
}
