import type { EventOf } from './events.ts';
import { outcomeOfWord } from './outcome-words.ts';
import { attachedBytes } from './quotas.ts';
import {
  type AttachmentEntry,
  type Attempt,
  newAttempt,
  type Outcome,
  type PrintedLines,
  type Run,
  type Scenario,
} from './run.ts';
import { copyForWriting } from './run-snapshot.ts';

/** The scenario of an event, created if it is unknown; its uid splits into feature and name at the first slash. */
export function scenarioOf(run: Run, uid: string): Scenario {
  // Events of one scenario mostly come one after the other.
  const known = run.latest?.uid === uid ? run.latest : run.scenarios.get(uid);
  if (known) {
    run.latest = known.generation === run.generation ? known : copyForWriting(run, known);
    return run.latest;
  }
  const slash = uid.indexOf('/');
  const first = newAttempt(1);
  const scenario: Scenario = {
    uid,
    feature: slash < 0 ? '' : internText(run, uid.slice(0, slash)),
    scenario: uid.slice(slash + 1),
    native: false,
    attempts: [first],
    cursor: first,
    offset: 0,
    pending: null,
    retries: null,
    totalSteps: null,
    declaredSteps: null,
    plannedSteps: null,
    touchedTypes: null,
    reports: null,
    written: null,
    attachments: null,
    counted: null,
    generation: run.generation,
  };
  run.scenarios.set(uid, scenario);
  run.latest = scenario;
  run.namingVersion += 1;
  return scenario;
}

function rename(run: Run, scenario: Scenario, feature: string, name: string): void {
  if (scenario.feature === feature && scenario.scenario === name) return;
  scenario.feature = internText(run, feature);
  scenario.scenario = name;
  run.namingVersion += 1;
}

const internedAtMost = 5000;

/** Returns one shared copy of equal texts, so that a thousand scenarios with the same step store it once. */
export function internText(run: Run, text: string): string {
  const known = run.internedTexts.get(text);
  if (known !== undefined) return known;
  if (run.internedTexts.size < internedAtMost) run.internedTexts.set(text, text);
  return text;
}

/** The events that would report the last verdict of each scenario. */
export function* lastVerdictsIn(run: Run): Iterable<EventOf<'scenario_finished'>> {
  for (const { uid, attempts, touchedTypes } of run.scenarios.values()) {
    const last = attempts.findLast(({ outcome }) => outcome !== null);
    if (!last?.outcome) continue;
    yield {
      ...{ type: 'scenario_finished', runId: run.runId, uid, outcome: last.outcome },
      at: last.finishedAt ?? run.receivedAt,
      ...(touchedTypes && { touchedTypes }),
    };
  }
}

export const current = (scenario: Scenario): Attempt => scenario.attempts.at(-1) ?? scenario.cursor;

/**
 * A start with its time. Workers count from 1 in each process, so the attempt is the highest of what the worker reports,
 * what was scheduled and what was reached. A start seen before is a repetition and goes back to its own attempt.
 */
function startAttempt(
  scenario: Scenario,
  at: string | null,
  reportedNumber: number,
): { attempt: Attempt; repeated: boolean } {
  const known = at === null ? undefined : scenario.attempts.find((attempt) => hasBegun(attempt, at, reportedNumber));
  const due = scenario.pending ?? 0;
  const now = current(scenario);
  if (known && due <= now.number) return moveCursor(scenario, known, reportedNumber, true);

  scenario.pending = null;
  const number = Math.max(reportedNumber, due, now.number);
  const attempt = number > now.number ? addAttempt(scenario, number) : now;
  attempt.startedAt = at;
  if (at !== null) noteStart(attempt, at, reportedNumber);
  return moveCursor(scenario, attempt, reportedNumber, false);
}

const hasBegun = ({ begunAt, begunAs, begunAgain }: Attempt, at: string, reportedNumber: number): boolean =>
  (begunAt === at && begunAs === reportedNumber) || begunAgain?.includes(`${at} ${reportedNumber}`) === true;

function noteStart(attempt: Attempt, at: string, reportedNumber: number): void {
  if (attempt.begunAt === null) {
    attempt.begunAt = at;
    attempt.begunAs = reportedNumber;
  } else attempt.begunAgain = [...(attempt.begunAgain ?? []), `${at} ${reportedNumber}`];
}

function moveCursor(scenario: Scenario, attempt: Attempt, reportedNumber: number, repeated: boolean) {
  scenario.cursor = attempt;
  scenario.offset = attempt.number - reportedNumber;
  return { attempt, repeated };
}

/** An attempt without any event is dropped from the history. */
function addAttempt(scenario: Scenario, number: number): Attempt {
  const attempt = newAttempt(number);
  if (isUntouched(current(scenario))) scenario.attempts.pop();
  scenario.attempts.push(attempt);
  return attempt;
}

const isUntouched = (attempt: Attempt): boolean =>
  attempt.begunAt === null &&
  attempt.startedAt === null &&
  attempt.steps.length === 0 &&
  attempt.outcome === null &&
  attempt.reason === null &&
  attempt.disposition === null;

export function scheduleRetry(run: Run, event: EventOf<'retry_scheduled'>): void {
  const scenario = scenarioOf(run, event.uid);
  const next = event.nextAttempt ?? current(scenario).number + 1;
  scenario.retries ??= new Map();
  if (scenario.retries.has(next)) {
    undoMistakenStart(run, scenario, next);
    return;
  }
  scenario.retries.set(next, event.reason ?? '');
  const ended = scenario.attempts.findLast((attempt) => attempt.number < next) ?? current(scenario);
  ended.disposition = event.disposition ?? null;
  ended.reason = event.reason ?? null;
  if (next > current(scenario).number) scenario.pending = next;
}

/**
 * A repeated retry means that the repeated events before it were repetitions too. If its attempt began with a start of
 * the previous attempt, that start was mistaken for a new one.
 */
function undoMistakenStart(run: Run, scenario: Scenario, next: number): void {
  const last = current(scenario);
  const before = scenario.attempts.at(-2);
  if (last.number !== next || !before || last.begunAt === null || last.begunAgain !== null) return;
  if (!hasBegun(before, last.begunAt, last.begunAs)) return;
  scenario.attempts.pop();
  scenario.cursor = before;
  scenario.pending = next;
  updateTally(run, scenario);
}

/** True for a repeated verdict of an earlier attempt. */
function isStale(scenario: Scenario, at: string | null, durationMs: number | null): boolean {
  const { cursor } = scenario;
  if (at === null || cursor.startedAt === null || at >= cursor.startedAt) return false;
  return scenario.attempts.some(
    (attempt) => attempt !== cursor && attempt.finishedAt === at && attempt.durationMs === durationMs,
  );
}

/** A pass after the first attempt is a pass on retry, even if a new process reports it as its first attempt. */
function outcomeOf(reported: string | null, attempts: number): Outcome {
  // Ingest rejects unknown outcomes; archives of releases before 0.3 may contain some.
  const outcome = outcomeOfWord(reported) ?? 'Failed';
  return outcome === 'CleanPass' && attempts > 1 ? 'PassOnRetry' : outcome;
}

/** Updates the run's tally with the outcome of the scenario's current attempt. */
function updateTally(run: Run, scenario: Scenario): void {
  const { outcome } = current(scenario);
  if (scenario.counted === outcome) return;
  if (scenario.counted) run.tally[scenario.counted] -= 1;
  if (outcome) run.tally[outcome] += 1;
  scenario.counted = outcome;
}

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

/** From now on only the worker's own events count. Drops what the supervisor reported, except retries. */
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

function locationOf({ file = null, line = null, stackTrace = null }: ReportedLocation): Required<Location> | null {
  return file === null && line === null && stackTrace === null ? null : { file, line, stackTrace };
}

type ReportedLocation = { file?: string | null; line?: number | null; stackTrace?: string | null };
type Location = { file: string | null; line: number | null; stackTrace: string | null };

type Starting = EventOf<'scenario_started'> | EventOf<'scenario_finished'>;

/** The source location and grouping of a test; later events never erase them. */
function foldWritten(run: Run, scenario: Scenario, event: Starting): void {
  const { file, line, column, project, path, order, tags } = event;
  if (file == null && project == null && path == null) return;
  const before = scenario.written;
  scenario.written = {
    file: before?.file ?? (file == null ? null : internText(run, file)),
    line: before?.line ?? line ?? null,
    column: before?.column ?? column ?? null,
    project: before?.project ?? (project == null ? null : internText(run, project)),
    path: before?.path ?? path ?? null,
    order: before?.order ?? order ?? null,
    tags: before && before.tags.length > 0 ? before.tags : (tags ?? []),
  };
}

/** The members of a verdict other than the outcome. */
function foldVerdictDetails(attempt: Attempt, event: EventOf<'scenario_finished'>): void {
  attempt.errors = event.errors && event.errors.length > 0 ? event.errors : null;
  attempt.skipReason = event.skipReason ?? null;
  attempt.todo = event.todo ?? false;
  attempt.rerun = event.rerun ?? null;
  attempt.output = printedLines(event);
  // Some runners report the real start of a test only at its end.
  if (event.startedAt) attempt.startedAt = event.startedAt;
}

function printedLines({ stdout, stderr, stdoutMs, stderrMs }: EventOf<'scenario_finished'>): PrintedLines | null {
  if (!stdout && !stderr) return null;
  return {
    stdout: stdout ?? [],
    stderr: stderr ?? [],
    stdoutMs: timesOf(stdout, stdoutMs),
    stderrMs: timesOf(stderr, stderrMs),
  };
}

/** One time per line, or none: times that do not match the number of lines are dropped. */
const timesOf = (lines: readonly string[] | null | undefined, times: readonly number[] | null | undefined) =>
  times && times.length === (lines ?? []).length ? times : [];

/** Further attachments stay in the archive and are not listed. */
const attachmentsAtMost = 100;

export function attach(run: Run, event: EventOf<'attachment'>): void {
  const scenario = scenarioOf(run, event.uid);
  const entry: AttachmentEntry = {
    attempt: event.attempt ?? 1,
    name: event.name ?? 'attachment',
    mediaType: event.mediaType ?? 'application/octet-stream',
    size: event.size ?? 0,
    sha256: event.sha256 ?? '',
    stored: event.data != null && /^[0-9a-f]{64}$/.test(event.sha256 ?? ''),
    reason: event.reason ?? null,
  };
  const known = scenario.attachments ?? [];
  const isSame = (one: AttachmentEntry) =>
    one.attempt === entry.attempt && one.name === entry.name && one.sha256 === entry.sha256;
  if (known.length >= attachmentsAtMost || known.some(isSame)) return;
  scenario.attachments = [...known, entry];
  if (event.data != null) run.attachmentBytes += attachedBytes(event.data);
}

export function startScenario(run: Run, event: EventOf<'scenario_started'>): void {
  const scenario = scenarioOf(run, event.uid);
  preferNativeEvents(run, scenario);
  rename(run, scenario, event.feature ?? scenario.feature, event.scenario ?? scenario.scenario);
  const { attempt, repeated } = startAttempt(scenario, event.at ?? null, event.attempt ?? 1);
  // After a repeated start its steps are sent again too; steps that name their attempt are kept.
  attempt.steps = repeated ? attempt.steps.filter((step) => step.exact) : [];
  attempt.lane ??= run.laneByScenario.get(scenario.uid) ?? null;
  if (!repeated) attempt.errorMessage = null;
  if (event.totalSteps != null) scenario.totalSteps = event.totalSteps;
  if (event.declaredSteps) scenario.declaredSteps = event.declaredSteps;
  if (event.plannedSteps) scenario.plannedSteps = event.plannedSteps;
  foldWritten(run, scenario, event);
  updateTally(run, scenario);
}

export function finishScenario(run: Run, event: EventOf<'scenario_finished'>): void {
  const scenario = scenarioOf(run, event.uid);
  preferNativeEvents(run, scenario);
  const at = event.at ?? null;
  const durationMs = event.durationMs ?? null;
  // A verdict with a start time identifies its attempt; others are recognised as repetitions by their times.
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
