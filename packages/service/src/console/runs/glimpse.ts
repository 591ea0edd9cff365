import { foldEvent } from './fold.ts';
import { readLine } from './replay.ts';
import { newRun } from './run.ts';
import { type Head, headOf } from './views.ts';

/**
 * What a few lines of an archive tell of its run: how it began and ended. Until all of it is read the publisher's own
 * closing figures stand for what is counted. Null when no line is of this run.
 */
export function glimpseOf(runId: string, lines: readonly string[]): Head | null {
  const run = newRun(runId);
  let known = false;
  for (const line of lines) {
    const taken = readLine(line);
    if (taken?.runId !== runId) continue;
    known = true;
    const { event } = taken;
    if (event?.type === 'run_started' || event?.type === 'run_finished') foldEvent(run, event);
  }
  if (!known) return null;
  const head = headOf(run);
  if (!head.finish) return head;
  const { passed, failed, passedOnRetry, skipped, indeterminate } = head.finish;
  const tally = { ...head.tally, CleanPass: passed, Failed: failed, PassOnRetry: passedOnRetry };
  if (skipped !== null) tally.Skipped = skipped;
  const told = passed + failed + passedOnRetry + (skipped ?? 0);
  return { ...head, tally, scenarios: told + indeterminate };
}
