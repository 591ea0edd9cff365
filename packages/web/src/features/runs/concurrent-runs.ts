import type { RunSummary } from '../../live/wire.ts';

export type ConcurrentRun = { run: RunSummary; from: number; to: number /** How long both ran. */; sharedMs: number };

/** From its start to its end; to now while it is live; or to its last event if its publisher is gone. */
export function runSpan(run: RunSummary, now: number): { from: number; to: number } | null {
  if (run.startedAt === null) return null;
  const from = Date.parse(run.startedAt);
  const end = run.finishedAt ?? (run.state === 'running' ? null : run.lastEventAt);
  return { from, to: Math.max(from, end === null ? now : Date.parse(end)) };
}

/** The runs on the same host at the same time, the longest overlap first. */
export function concurrentRuns(run: RunSummary, runs: readonly RunSummary[], now: number): ConcurrentRun[] {
  const own = runSpan(run, now);
  if (!own) return [];
  return runs
    .flatMap((other): ConcurrentRun[] => {
      const span = other.runId === run.runId || other.host !== run.host ? null : runSpan(other, now);
      if (!span) return [];
      const sharedMs = Math.min(own.to, span.to) - Math.max(own.from, span.from);
      return sharedMs > 0 ? [{ run: other, ...span, sharedMs }] : [];
    })
    .sort((a, b) => b.sharedMs - a.sharedMs || a.from - b.from);
}
