import type { EventOf, MonitorEvent } from './events.ts';
import { isStale, outcomeOf, rename, scenarioOf, scheduleRetry, startAttempt, updateTally } from './fold-attempts.ts';
import { finishTest, locationOf, preferNativeEvents, startTest } from './fold-foreign.ts';
import {
  finishLane,
  recordFault,
  recordProgress,
  recordRecycle,
  recordStall,
  startLane,
  startWorker,
} from './fold-lanes.ts';
import { finishParticipant, finishRun, startParticipant } from './fold-participants.ts';
import { finishStep, progressStep, startStep } from './fold-steps.ts';
import { attach, foldVerdictDetails, foldWritten } from './fold-written.ts';
import { newRun, type Run } from './run.ts';

type Fold = { [Type in MonitorEvent['type']]: (run: Run, event: EventOf<Type>) => void };

const folds: Fold = {
  run_started: startRun,
  run_heartbeat: () => undefined,
  run_finished: finishRun,
  participant_started: startParticipant,
  participant_finished: finishParticipant,
  scenario_started: startScenario,
  scenario_finished: finishScenario,
  attachment: attach,
  retry_scheduled: scheduleRetry,
  step_started: startStep,
  step_finished: finishStep,
  step_progress: progressStep,
  lane_started: startLane,
  lane_finished: finishLane,
  resource_recycled: recordRecycle,
  worker_faulted: recordFault,
  worker_started: startWorker,
  test_stalled: recordStall,
  test_started: startTest,
  test_finished: finishTest,
  run_progress: recordProgress,
};

/**
 * Takes one event into the run, in place. Repeating an event, a batch or the whole stream changes nothing, and neither
 * does where one batch ends and the next begins. Runs here and in the browser.
 */
export function foldEvent(run: Run, event: MonitorEvent): void {
  byType.get(event.type)?.(run, event);
}

/** The type of an event is a text that was just read; a map finds it without making a property name of it. */
const byType = new Map(Object.entries(folds) as Array<[string, (run: Run, event: MonitorEvent) => void]>);

/** Sent again as more becomes known; what was said stays said, and a total only grows. */
function startRun(run: Run, event: EventOf<'run_started'>): void {
  if (run.finish && !run.fromBeforeStamps) return;
  const start = run.fromBeforeStamps ? newRun(run.runId).start : run.start;
  const total = Math.max(start.totalScenarios ?? 0, event.totalScenarios ?? 0);
  run.start = {
    suite: start.suite ?? event.suite ?? null,
    repository: start.repository ?? event.repository ?? null,
    repositoryId: start.repositoryId ?? event.repositoryId ?? null,
    branch: start.branch ?? event.branch ?? null,
    mode: start.mode ?? event.mode ?? null,
    startedAt: start.startedAt ?? event.startedAt ?? null,
    totalScenarios: start.totalScenarios === null && event.totalScenarios == null ? null : total,
    tag: start.tag ?? event.tag ?? null,
    session: start.session ?? event.session ?? null,
    command: start.command ?? event.command ?? null,
    commit: start.commit ?? event.commit ?? null,
    dirty: start.dirty ?? event.dirty ?? null,
  };
}

function startScenario(run: Run, event: EventOf<'scenario_started'>): void {
  const scenario = scenarioOf(run, event.uid);
  preferNativeEvents(run, scenario);
  rename(run, scenario, event.feature ?? scenario.feature, event.scenario ?? scenario.scenario);
  const { attempt, repeated } = startAttempt(scenario, event.at ?? null, event.attempt ?? 1);
  // What a repeated start is followed by comes again; only steps that name their attempt are known without it.
  attempt.steps = repeated ? attempt.steps.filter((step) => step.exact) : [];
  attempt.lane ??= run.laneByScenario.get(scenario.uid) ?? null;
  if (!repeated) attempt.errorMessage = null;
  if (event.totalSteps != null) scenario.totalSteps = event.totalSteps;
  if (event.declaredSteps) scenario.declaredSteps = event.declaredSteps;
  if (event.plannedSteps) scenario.plannedSteps = event.plannedSteps;
  foldWritten(run, scenario, event);
  updateTally(run, scenario);
}

function finishScenario(run: Run, event: EventOf<'scenario_finished'>): void {
  const scenario = scenarioOf(run, event.uid);
  preferNativeEvents(run, scenario);
  const at = event.at ?? null;
  const durationMs = event.durationMs ?? null;
  // A verdict with its own start names its attempt exactly; others are distinguished from repetitions by their times.
  const isEarlier = event.startedAt && (event.attempts ?? 1) + scenario.offset < scenario.cursor.number;
  if (event.startedAt ? isEarlier : isStale(scenario, at, durationMs)) return;
  const attempt = scenario.cursor;
  attempt.attempts = Math.max(event.attempts ?? 1, attempt.number);
  attempt.outcome = outcomeOf(event.outcome ?? null, attempt.attempts);
  attempt.durationMs = durationMs;
  attempt.errorMessage = event.errorMessage ?? null;
  attempt.finishedAt = at;
  attempt.location = locationOf(event);
  foldWritten(run, scenario, event);
  foldVerdictDetails(attempt, event);
  if (event.touchedTypes) scenario.touchedTypes = event.touchedTypes;
  if (event.reports) scenario.reports = event.reports;
  updateTally(run, scenario);
}
