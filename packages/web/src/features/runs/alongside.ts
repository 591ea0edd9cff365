import type { RunSummary } from '../../live/wire.ts';

export type Neighbour = { run: RunSummary; from: number; to: number /** How long both ran. */; sharedMs: number };

/** From its start to its end, or to now, or to its last word where its publisher is gone. */
export function lifeOf(run: RunSummary, now: number): { from: number; to: number } | null {
  if (run.startedAt === null) return null;
  const from = Date.parse(run.startedAt);
  const end = run.finishedAt ?? (run.state === 'running' ? null : run.lastEventAt);
  return { from, to: Math.max(from, end === null ? now : Date.parse(end)) };
}

/** The runs that shared this one's host while it ran, those that shared it longest first. */
export function alongside(run: RunSummary, runs: readonly RunSummary[], now: number): Neighbour[] {
  const own = lifeOf(run, now);
  if (!own) return [];
  return runs
    .flatMap((other): Neighbour[] => {
      const life = other.runId === run.runId || other.host !== run.host ? null : lifeOf(other, now);
      if (!life) return [];
      const sharedMs = Math.min(own.to, life.to) - Math.max(own.from, life.from);
      return sharedMs > 0 ? [{ run: other, ...life, sharedMs }] : [];
    })
    .sort((a, b) => b.sharedMs - a.sharedMs || a.from - b.from);
}
