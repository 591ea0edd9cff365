import { dayMs } from '../../kernel/clock.ts';
import { type BoardRun, isLive, newestFirst } from './run-registry.ts';
import type { RunHeadline } from './run-views.ts';

export type RetentionCandidate = Pick<BoardRun, 'runId' | 'head' | 'orphaned' | 'heardAtMs' | 'firstWrittenAtMs'>;

/** Clones, working trees and CI machines of one repository share its id. */
export const suiteKey = ({ start }: RunHeadline): string =>
  JSON.stringify([start.repositoryId ?? start.repository, start.suite]);

/** Ended runs beyond the newest `keep` of their repository and suite. */
export function beyondRunLimit<Run extends RetentionCandidate>(runs: Iterable<Run>, keep: number): Run[] {
  if (keep === 0) return [];
  const newerRuns = new Map<string, number>();
  return [...runs]
    .filter((run) => !isLive(run))
    .sort(newestFirst)
    .filter(({ head }) => {
      const key = suiteKey(head);
      const newer = newerRuns.get(key) ?? 0;
      newerRuns.set(key, newer + 1);
      return newer >= keep;
    });
}

/** The oldest ended runs, as many as exceed the limit of the board; `runs` must be sorted newest first. */
export function beyondBoardLimit<Run extends RetentionCandidate>(runs: readonly Run[], most: number): Run[] {
  const tooMany = runs.length - most;
  if (tooMany <= 0) return [];
  return runs.filter((run) => !isLive(run)).slice(-tooMany);
}

/** Ended runs unchanged for longer than the policy keeps them. */
export function beyondAgeLimit<Run extends RetentionCandidate>(
  runs: Iterable<Run>,
  days: number,
  nowMs: number,
): Run[] {
  const cutoff = ageCutoff(days, nowMs);
  if (cutoff === null) return [];
  return [...runs].filter((run) => !isLive(run) && run.heardAtMs < cutoff);
}

export const ageCutoff = (days: number, nowMs: number): number | null => (days === 0 ? null : nowMs - days * dayMs);
