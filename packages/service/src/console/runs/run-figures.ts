import type { RunSummary } from '../../kernel/run-summary.ts';
import { isToldInFigures } from './green.ts';
import type { Outcome, Run, RunFinish } from './run.ts';

type ToldTimes = Pick<Run, 'start' | 'finish'>;
type ArrivalTimes = Partial<Pick<RunSummary, 'receivedAt' | 'endedAt'>>;

const skewShownMs = 5 * 60_000;

/** A publisher's time that lies well after its arrival is shown as the arrival. */
export function shownTimes({ start, finish }: ToldTimes, { receivedAt = null, endedAt = null }: ArrivalTimes) {
  const finishedAt = finish?.finishedAt ?? null;
  const skews = [skewOf(start.startedAt, receivedAt), skewOf(finishedAt, endedAt)];
  return {
    startedAt: shownTime(start.startedAt, receivedAt),
    finishedAt: shownTime(finishedAt, endedAt),
    receivedAt,
    endedAt,
    clockSkewMs: skews.find((skew) => skew > skewShownMs) ?? null,
  };
}

const skewOf = (told: string | null, arrived: string | null): number =>
  told === null || arrived === null ? 0 : Date.parse(told) - Date.parse(arrived);

export const shownTime = (told: string | null, arrived: string | null): string | null =>
  skewOf(told, arrived) > skewShownMs ? arrived : told;

/** Counted while the run lives, and where several published verdicts of it; else the publisher's own figures, less the skipped ones it counts as passed. */
export function figures(tally: Record<Outcome, number>, finish: RunFinish | null) {
  if (!finish || (finish.fromParticipants && !isToldInFigures(finish, tally))) {
    const { CleanPass: passed, PassOnRetry: passedOnRetry, Skipped: skipped } = tally;
    return { passed, failed: tally.Failed + tally.Aborted, passedOnRetry, skipped };
  }
  const { failed, passedOnRetry } = finish;
  if (finish.skipped !== null) return { passed: finish.passed, failed, passedOnRetry, skipped: finish.skipped };
  return { passed: Math.max(0, finish.passed - tally.Skipped), failed, passedOnRetry, skipped: tally.Skipped };
}
