import type { NodeDocument } from './contract.ts';
import { refKey } from './refs.ts';
import { meetingGlob } from './touched-paths.ts';

/** A plan as written in a file. */
export type CheckedPlan = { slug: string; repository: string | null; nodes: readonly NodeDocument[] };

/** Two nodes that may be worked on in parallel and touch the same paths. `at` is the place of the second one in its plan. */
export type ParallelTouch = { plan: CheckedPlan; at: number; ref: string; other: string; glob: string };

type Toucher = Omit<ParallelTouch, 'other' | 'glob'> & { key: string; touches: readonly string[]; place: string };

/** Pairs of nodes of these plans that touch the same paths in one repository and do not depend on each other. */
export function parallelTouches(plans: readonly CheckedPlan[]): ParallelTouch[] {
  const dependsOn = new Map<string, string[]>();
  const touchers: Toucher[] = [];
  for (const plan of plans) {
    for (const [at, { id, repository, touches, dependsOn: on }] of plan.nodes.entries()) {
      const key = refKey(id, plan.slug);
      dependsOn.set(
        key,
        (on ?? []).map((ref) => refKey(ref, plan.slug)),
      );
      const place = (repository ?? plan.repository)?.toLowerCase() ?? ` ${plan.slug}`;
      if (touches?.length) touchers.push({ plan, at, ref: `${plan.slug}/${id}`, key, touches, place });
    }
  }
  const behind = new Map(touchers.map(({ key }) => [key, reachedFrom(key, dependsOn)]));
  const isOrdered = (a: string, b: string) => behind.get(a)?.has(b) || behind.get(b)?.has(a);
  return touchers.flatMap((one, index) =>
    touchers.slice(0, index).flatMap((before) => {
      if (before.place !== one.place || isOrdered(one.key, before.key)) return [];
      const glob = meetingGlob(one.touches, before.touches);
      return glob === undefined ? [] : [{ plan: one.plan, at: one.at, ref: one.ref, other: before.ref, glob }];
    }),
  );
}

function reachedFrom(start: string, dependsOn: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
    for (const on of dependsOn.get(key) ?? [])
      if (!reached.has(on)) {
        reached.add(on);
        waiting.push(on);
      }
  return reached;
}
