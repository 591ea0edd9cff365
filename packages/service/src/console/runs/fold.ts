import type { EventOf, MonitorEvent } from './events.ts';
import {
  finishLane,
  recordFault,
  recordProgress,
  recordRecycle,
  recordStall,
  startLane,
  startWorker,
} from './fold-lanes.ts';
import { attach, finishScenario, finishTest, scheduleRetry, startScenario, startTest } from './fold-scenarios.ts';
import { finishStep, progressStep, startStep } from './fold-steps.ts';
import { newRun, type Participant, type Run, type RunFinish } from './run.ts';

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
 * Folds one event into the run, in place. Repeating an event, a batch or the whole stream changes nothing, and neither
 * does where one batch ends and the next begins. Runs here and in the browser.
 */
export function foldEvent(run: Run, event: MonitorEvent): void {
  byType.get(event.type)?.(run, event);
}

/** A map, because the type was just parsed: looking it up in an object would intern it as a property name first. */
const byType = new Map(Object.entries(folds) as Array<[string, (run: Run, event: MonitorEvent) => void]>);

/** May be sent repeatedly as more becomes known: the first value of each member is kept, and the total only grows. */
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

function participantOf(run: Run, name: string, at: string | null): Participant {
  const known = run.participants.get(name);
  if (known) return known;
  const made: Participant = {
    participant: name,
    due: null,
    totalScenarios: null,
    processId: null,
    startedAt: at,
    finish: null,
  };
  run.participants.set(name, made);
  return made;
}

/** May be sent again as more of its tests become known. */
function startParticipant(run: Run, event: EventOf<'participant_started'>): void {
  const one = participantOf(run, event.participant, event.at ?? null);
  one.due = largest(one.due, event.due);
  one.totalScenarios = largest(one.totalScenarios, event.totalScenarios);
  one.processId ??= event.processId ?? null;
}

function finishParticipant(run: Run, event: EventOf<'participant_finished'>): void {
  const one = participantOf(run, event.participant, event.at ?? null);
  one.finish ??= { ...figuresIn(event), finishedAt: event.at ?? null };
  endWhenAllHave(run);
}

function finishRun(run: Run, event: EventOf<'run_finished'>): void {
  // Only the first end counts.
  if (run.closed && !run.fromBeforeStamps) return;
  run.closed = { ...figuresIn(event), finishedAt: event.finishedAt ?? null };
  endWhenAllHave(run);
}

/** A negative figure would cancel another one in a sum. */
const figuresIn = (
  event: EventOf<'run_finished'> | EventOf<'participant_finished'>,
): Omit<RunFinish, 'finishedAt'> => ({
  exitCode: event.exitCode ?? null,
  passed: Math.max(0, event.passed ?? 0),
  failed: Math.max(0, event.failed ?? 0),
  passedOnRetry: Math.max(0, event.passedOnRetry ?? 0),
  indeterminate: Math.max(0, event.indeterminate ?? 0),
  skipped: event.skipped == null ? null : Math.max(0, event.skipped),
  interrupted: event.interrupted ?? null,
  fromParticipants: false,
});

/** The total number of participants; null if none of them reported it. */
const participantsDue = (run: Run): number | null =>
  [...run.participants.values()].reduce<number | null>((due, one) => largest(due, one.due), null);

/** The total number of scenarios: the sum of what each participant reported. */
export function totalDue(run: Run): number | null {
  let total: number | null = null;
  for (const { totalScenarios } of run.participants.values()) {
    if (totalScenarios !== null) total = (total ?? 0) + totalScenarios;
  }
  return largest(run.start.totalScenarios, total);
}

/**
 * A run of one process ends with its `run_finished`. A run of several processes ends when all announced participants
 * have finished and none is still running; if their number is unknown, with `run_finished`.
 */
function endWhenAllHave(run: Run): void {
  const all = [...run.participants.values()];
  if (all.length === 0) {
    run.finish = run.closed;
    return;
  }
  const finishes = all.flatMap(({ finish }) => finish ?? []);
  const due = participantsDue(run);
  if (finishes.length < Math.max(all.length, due ?? 0)) return;
  if (due === null && run.closed === null) return;
  run.finish = worstOf(run.closed ? [...finishes, run.closed] : finishes, finishes);
}

function worstOf(ends: readonly RunFinish[], parts: readonly RunFinish[]): RunFinish {
  const sum = (of: (finish: RunFinish) => number) => parts.reduce((total, finish) => total + of(finish), 0);
  const last = ends.reduce((a, b) => ((b.finishedAt ?? '') > (a.finishedAt ?? '') ? b : a));
  return {
    exitCode: worstExit(ends.map(({ exitCode }) => exitCode)),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    passedOnRetry: sum(({ passedOnRetry }) => passedOnRetry),
    indeterminate: sum(({ indeterminate }) => indeterminate),
    skipped: sum(({ skipped }) => skipped ?? 0),
    interrupted: ends.find(({ interrupted }) => interrupted !== null)?.interrupted ?? null,
    finishedAt: last.finishedAt,
    fromParticipants: true,
  };
}

/** Any code other than 0 is worse than 0; a missing code counts as a failure. */
function worstExit(codes: readonly (number | null)[]): number | null {
  const failing = codes.filter((code) => code !== null && code !== 0);
  if (failing.length > 0) return failing.reduce((a, b) => largest(a, b));
  return codes.includes(null) ? null : 0;
}

const largest = (a: number | null, b: number | null | undefined): number | null =>
  a === null ? (b ?? null) : Math.max(a, b ?? a);
