import { PastPlan } from 'signalbox/browser/plan-fold';
import type { HistoryEntry } from '../../../live/wire.ts';

/** The number of nodes, and of done nodes, from an instant on. */
export type BurnUpLevel = { at: number; total: number; done: number };

/** The levels of one plan over its history: one for each change, in order. */
export function burnUpLevels(entries: readonly HistoryEntry[]): BurnUpLevel[] {
  const pastPlan = new PastPlan();
  const levels: BurnUpLevel[] = [];
  const isCounted = (key: string) => pastPlan.nodes.has(key) && pastPlan.proofOf(key) === 'done';
  let done = 0;
  for (const entry of entries) {
    const key = String(entry.data.id ?? '').toLowerCase();
    const before = isCounted(key);
    pastPlan.apply(entry);
    done += Number(isCounted(key)) - Number(before);
    const [at, total, last] = [Date.parse(entry.at), pastPlan.nodes.size, levels.at(-1)];
    if (last?.total === total && last.done === done) continue;
    if (last?.at === at) levels.pop();
    levels.push({ at, total, done });
  }
  return levels;
}

/** The levels of several plans together: the sum at every change of one of them. */
export function sumLevels(plans: readonly (readonly BurnUpLevel[])[]): BurnUpLevel[] {
  const changes = plans.flatMap((levels, plan) => levels.map((level) => ({ plan, level })));
  changes.sort((a, b) => a.level.at - b.level.at);
  const now = new Map<number, BurnUpLevel>();
  let [total, done] = [0, 0];
  const sum: BurnUpLevel[] = [];
  for (const { plan, level } of changes) {
    const before = now.get(plan);
    now.set(plan, level);
    total += level.total - (before?.total ?? 0);
    done += level.done - (before?.done ?? 0);
    if (sum.at(-1)?.at === level.at) sum.pop();
    sum.push({ at: level.at, total, done });
  }
  return sum;
}
