import type { EventOf } from './events.ts';
import { current, isStale, outcomeOf, rename, scenarioOf, startAttempt, updateTally } from './fold-attempts.ts';
import { newAttempt, type Run, type Scenario } from './run.ts';

/** Tests that a supervisor reports for a worker. Ignored once the worker publishes the test itself. */
export function startTest(run: Run, event: EventOf<'test_started'>): void {
  const scenario = scenarioOf(run, event.uid);
  if (scenario.native) return;
  nameTest(run, scenario, event.displayName);
  const at = event.at ?? null;
  const { finishedAt, number } = current(scenario);
  const due = scenario.pending !== null && scenario.pending > number;
  if (!due && at !== null && finishedAt !== null && at <= finishedAt) return;
  const { attempt, repeated } = startAttempt(scenario, at, 1);
  attempt.lane ??= event.lane ?? run.laneByScenario.get(scenario.uid) ?? null;
  if (!repeated || attempt.finishedAt === null) {
    attempt.outcome = null;
    attempt.finishedAt = null;
    attempt.state = null;
  }
  updateTally(run, scenario);
}

export function finishTest(run: Run, event: EventOf<'test_finished'>): void {
  const scenario = scenarioOf(run, event.uid);
  if (scenario.native) return;
  nameTest(run, scenario, event.displayName);
  const at = event.at ?? null;
  const durationMs = event.durationMs ?? null;
  if (isStale(scenario, at, durationMs)) return;
  const attempt = scenario.cursor;
  attempt.state = event.state ?? null;
  attempt.outcome = outcomeOf(event.state ?? null, attempt.number);
  attempt.attempts = attempt.number;
  attempt.durationMs = durationMs;
  attempt.finishedAt = at;
  attempt.lane ??= event.lane ?? null;
  attempt.errorMessage = event.errorMessage ?? null;
  attempt.location = locationOf(event);
  updateTally(run, scenario);
}

function nameTest(run: Run, scenario: Scenario, displayName: string | null | undefined): void {
  if (displayName) rename(run, scenario, scenario.feature, displayName);
}

/** From now on only the worker's own events count. Drops what a supervisor reported, except retries. */
export function preferNativeEvents(run: Run, scenario: Scenario): void {
  if (scenario.native) return;
  scenario.native = true;
  const last = current(scenario);
  if (last.state === null && last.begunAt === null) return;
  const fresh = newAttempt(1);
  scenario.attempts = [fresh];
  scenario.cursor = fresh;
  const due = Math.max(0, ...(scenario.retries?.keys() ?? []));
  scenario.pending = due > 1 ? due : null;
  updateTally(run, scenario);
}

export function locationOf({
  file = null,
  line = null,
  stackTrace = null,
}: ReportedLocation): Required<Location> | null {
  return file === null && line === null && stackTrace === null ? null : { file, line, stackTrace };
}

type ReportedLocation = { file?: string | null; line?: number | null; stackTrace?: string | null };
type Location = { file: string | null; line: number | null; stackTrace: string | null };
