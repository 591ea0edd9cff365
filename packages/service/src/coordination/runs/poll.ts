import type { RunSummary } from './contract.ts';

/** What a newer look at a console shows that the look before did not. */
export function changesBetween(
  before: readonly RunSummary[],
  now: readonly RunSummary[],
): { changed: RunSummary[]; gone: string[] } {
  const known = new Map(before.map((run) => [run.runId, JSON.stringify(run)]));
  const changed = now.filter((run) => known.get(run.runId) !== JSON.stringify(run));
  const here = new Set(now.map((run) => run.runId));
  return { changed, gone: before.filter((run) => !here.has(run.runId)).map((run) => run.runId) };
}
