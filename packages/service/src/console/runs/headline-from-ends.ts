import type { ArchiveEnds } from './ports.ts';
import { foldLine, readLine } from './replay.ts';
import { newRun } from './run.ts';
import { headlineOf, type RunHeadline } from './run-views.ts';

const isAboutRun = /^(run|participant)_(started|finished)$/;

/**
 * The run's start and end, from a few lines of its archive. Until the whole archive is read, the publisher's own
 * closing figures are used as counts. Null when no line belongs to this run. A stamp alone is no run, but where the
 * lines are not the whole archive, what it was made for follows: an event may be longer than what was looked at.
 */
export function headlineFromEnds(runId: string, { lines, isWhole }: ArchiveEnds): RunHeadline | null {
  const run = newRun(runId);
  let found = false;
  for (const line of lines) {
    const parsed = readLine(line);
    if (parsed?.runId !== runId) continue;
    const { event, stamp } = parsed;
    found ||= stamp === undefined || !isWhole;
    if (stamp || (event && isAboutRun.test(event.type))) foldLine(run, parsed);
  }
  if (!found) return null;
  const headline = headlineOf(run);
  if (!headline.finish) return headline;
  const { passed, failed, passedOnRetry, skipped, indeterminate } = headline.finish;
  const tally = { ...headline.tally, CleanPass: passed, Failed: failed, PassOnRetry: passedOnRetry };
  if (skipped !== null) tally.Skipped = skipped;
  const reported = passed + failed + passedOnRetry + (skipped ?? 0);
  return { ...headline, tally, scenarios: reported + indeterminate };
}
