import type { RunSummary } from './contract.ts';

/** The differences between two polls of a console. */
export function changesBetween(
  before: readonly RunSummary[],
  now: readonly RunSummary[],
): { changed: RunSummary[]; gone: string[] } {
  const earlier = new Map(before.map((run) => [run.runId, JSON.stringify(run)]));
  const changed = now.filter((run) => earlier.get(run.runId) !== JSON.stringify(run));
  const present = new Set(now.map((run) => run.runId));
  return { changed, gone: before.filter((run) => !present.has(run.runId)).map((run) => run.runId) };
}
