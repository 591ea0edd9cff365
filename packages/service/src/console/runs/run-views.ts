import type { RunTrust } from '../../kernel/run-summary.ts';
import type { RunDetail, RunSummary, ScenarioView, StepView } from './contract.ts';
import { totalDue } from './fold.ts';
import { current } from './fold-scenarios.ts';
import { lastError } from './fold-steps.ts';
import { greenOf, hasOnlyFigures, verdictsIn } from './green.ts';
import type { Attempt, Lane, Outcome, Participant, Run, RunFinish, RunStart, Scenario, Step } from './run.ts';

/** The facts about a run that lists show; small enough to keep in memory for every run. */
export type RunHeadline = {
  runId: string;
  start: RunStart;
  finish: RunFinish | null;
  scenarios: number;
  tally: Record<Outcome, number>;
  receivedAt: string | null;
  endedAt: string | null;
  publisher: string | null;
  trust: RunTrust;
  late: number;
  traceparent?: string;
};

export const headlineOf = (run: Run): RunHeadline => ({
  runId: run.runId,
  start: { ...run.start, totalScenarios: totalDue(run) },
  finish: run.finish,
  scenarios: run.scenarios.size,
  tally: { ...run.tally },
  receivedAt: run.receivedAt,
  endedAt: run.endedAt,
  publisher: run.publisher,
  trust: run.trust,
  late: run.late,
  ...(run.traceparent !== undefined && { traceparent: run.traceparent }),
});

/** The names that are shown and filtered by; placeholders until the run reports its own. */
export const suiteOf = ({ suite }: Pick<RunStart, 'suite'>): string => suite ?? '(unknown suite)';
export const repositoryOf = ({ repository }: Pick<RunStart, 'repository'>): string => repository ?? '(unknown)';

/** The facts about a run that are not in its events. */
export type SummaryFacts = {
  host: string;
  orphaned: boolean;
  repositoryName: string | null;
  lastEventAt: string | null;
  expectedMs: number | null;
  unreadable?: boolean;
} & Partial<Pick<RunSummary, 'receivedAt' | 'endedAt' | 'publisher' | 'trust' | 'late'>>;

export function summaryOf(headline: RunHeadline, facts: SummaryFacts): RunSummary {
  const { start, finish, scenarios, tally } = headline;
  const finished = finish !== null;
  const orphaned = !finished && facts.orphaned;
  const unreadable = facts.unreadable ?? false;
  const ended = finished || orphaned || unreadable;
  const scenariosFinished = verdictsIn(tally);
  const onlyFigures = hasOnlyFigures(finish, tally);
  const indeterminate = finish?.indeterminate ?? 0;
  const expected = Math.max(scenarios, start.totalScenarios ?? 0);
  const ends = {
    ...figures(tally, finish),
    indeterminate,
    lost: ended && !onlyFigures ? Math.max(0, expected - scenariosFinished - indeterminate) : 0,
    orphaned,
    counted: unreadable ? false : onlyFigures ? ('figures' as const) : true,
  };
  return {
    runId: headline.runId,
    host: facts.host,
    suite: suiteOf(start),
    repository: repositoryOf(start),
    repositoryName: facts.repositoryName,
    repositoryId: start.repositoryId ?? null,
    branch: start.branch,
    mode: start.mode ?? 'unknown',
    tag: start.tag,
    session: start.session,
    command: start.command,
    commit: start.commit ?? null,
    dirty: start.dirty ?? null,
    interrupted: finish?.interrupted ?? null,
    state: unreadable ? 'unreadable' : finished ? 'finished' : orphaned ? 'orphaned' : 'running',
    finished,
    exitCode: finish?.exitCode ?? null,
    green: unreadable ? null : greenOf(finish, tally, ends),
    scenarios,
    scenariosFinished,
    totalScenarios: start.totalScenarios,
    running: ended ? 0 : scenarios - scenariosFinished,
    ...ends,
    publisher: facts.publisher ?? null,
    trust: facts.trust ?? 'local',
    ...shownTimes(headline, facts),
    late: facts.late ?? 0,
    lastEventAt: facts.lastEventAt,
    expectedMs: facts.expectedMs,
  };
}

export type ExpectedMs = (uid: string) => number | null;

export function detailOf(run: Run, summary: RunSummary, expectedMs: ExpectedMs): RunDetail {
  return {
    run: summary,
    scenarios: sortedScenarios(run).map((scenario) => scenarioView(scenario, expectedMs)),
    ...detailWithoutScenarios(run, summary),
  };
}

/** The detail without its scenarios. */
export const detailWithoutScenarios = (
  run: Run,
  { state }: Pick<RunSummary, 'state'>,
): Omit<RunDetail, 'run' | 'scenarios'> => ({
  lanes: [...run.lanes.values()]
    .sort((a, b) => a.lane - b.lane)
    .map((lane) => laneView(run, lane, state === 'running')),
  recycles: run.recycles,
  workerFaults: run.workerFaults,
  stalls: run.stalls,
  progress: run.progress,
  participants: [...run.participants.values()].map(participantView),
});

const participantView = ({ finish, ...one }: Participant): RunDetail['participants'][number] => ({
  ...one,
  finishedAt: finish?.finishedAt ?? null,
  exitCode: finish?.exitCode ?? null,
  interrupted: finish?.interrupted ?? null,
});

/**
 * Sorted by feature, then by scenario. Features are sorted one by one, so that a long run is never sorted in one step.
 */
export function* scenariosByFeature(run: Run): Iterable<readonly Scenario[]> {
  const features = new Map<string, Scenario[]>();
  for (const scenario of run.scenarios.values()) {
    const group = features.get(scenario.feature);
    if (group) group.push(scenario);
    else features.set(scenario.feature, [scenario]);
  }
  for (const feature of [...features.keys()].sort(compare)) {
    yield (features.get(feature) ?? []).sort((a, b) => compare(a.scenario, b.scenario) || compare(a.uid, b.uid));
  }
}

export function* eachScenario(run: Run): Iterable<Scenario> {
  for (const group of scenariosByFeature(run)) yield* group;
}

const sortedByRun = new WeakMap<Run, { naming: number; order: readonly Scenario[] }>();

/** Cached for repeated reads; sorted again only after a name was added. */
export function sortedScenarios(run: Run): readonly Scenario[] {
  const cached = sortedByRun.get(run);
  if (cached?.naming === run.namingVersion) return cached.order;
  const order = [...eachScenario(run)];
  sortedByRun.set(run, { naming: run.namingVersion, order });
  return order;
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function scenarioView(scenario: Scenario, expectedMs: ExpectedMs): ScenarioView {
  const last = current(scenario);
  return {
    uid: scenario.uid,
    feature: scenario.feature,
    scenario: scenario.scenario,
    outcome: last.outcome,
    attempt: last.number,
    attempts: last.attempts,
    durationMs: last.durationMs,
    errorMessage: last.errorMessage,
    retryReasons: retryReasonsOf(scenario),
    steps: last.steps.map(stepView),
    touchedTypes: scenario.touchedTypes ?? [],
    startedAt: last.startedAt,
    finishedAt: last.finishedAt,
    lane: last.lane,
    state: last.state,
    attemptsHistory: scenario.attempts.slice(0, -1).map(earlierAttemptView),
    totalSteps: scenario.totalSteps,
    declaredSteps: scenario.declaredSteps ?? [],
    plannedSteps: scenario.plannedSteps ?? [],
    reports: scenario.reports ?? [],
    file: scenario.written?.file ?? last.location?.file ?? null,
    line: scenario.written ? scenario.written.line : (last.location?.line ?? null),
    column: scenario.written?.column ?? null,
    project: scenario.written?.project ?? null,
    path: scenario.written?.path ?? [],
    order: scenario.written?.order ?? null,
    tags: scenario.written?.tags ?? [],
    ...verdictDetails(last),
    rerun: last.rerun ?? rerunIn(last.steps),
    attachments: scenario.attachments ?? [],
    expectedMs: expectedMs(scenario.uid),
  };
}

const verdictDetails = (attempt: Attempt) => ({
  errors: attempt.errors ?? [],
  skipReason: attempt.skipReason,
  todo: attempt.todo,
  stdout: attempt.output?.stdout ?? [],
  stderr: attempt.output?.stderr ?? [],
  stdoutMs: attempt.output?.stdoutMs ?? [],
  stderrMs: attempt.output?.stderrMs ?? [],
});

export const retryReasonsOf = (scenario: Scenario): string[] =>
  scenario.retries ? [...scenario.retries].sort(([a], [b]) => a - b).map(([, reason]) => reason) : [];

/** A retried attempt without an outcome counts as failed. */
export const earlierAttemptView = (attempt: Attempt) => ({
  attempt: attempt.number,
  outcome: attempt.outcome ?? ('Failed' as const),
  durationMs: attempt.durationMs,
  errorMessage: attempt.errorMessage ?? lastError(attempt.steps),
  disposition: attempt.disposition,
  reason: attempt.reason,
  startedAt: attempt.startedAt,
  finishedAt: attempt.finishedAt,
  lane: attempt.lane,
  steps: attempt.steps.map(stepView),
  ...verdictDetails(attempt),
});

/** A lane with the tests that are running on it. */
function laneView(run: Run, lane: Lane, isLive: boolean): RunDetail['lanes'][number] {
  const isRunning = (uid: string) => {
    const scenario = run.scenarios.get(uid);
    return scenario !== undefined && current(scenario).outcome === null;
  };
  return { ...lane, running: isLive && lane.status === 'running' ? lane.uids.filter(isRunning) : [] };
}

type ReportedTimes = Pick<Run, 'start' | 'finish'>;
type ArrivalTimes = Partial<Pick<RunSummary, 'receivedAt' | 'endedAt'>>;

const skewShownMs = 5 * 60_000;

/** A reported time that is well after its arrival is replaced by the time of arrival. */
export function shownTimes({ start, finish }: ReportedTimes, { receivedAt = null, endedAt = null }: ArrivalTimes) {
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

const skewOf = (reported: string | null, arrived: string | null): number =>
  reported === null || arrived === null ? 0 : Date.parse(reported) - Date.parse(arrived);

export const shownTime = (reported: string | null, arrived: string | null): string | null =>
  skewOf(reported, arrived) > skewShownMs ? arrived : reported;

/** Counted while the run is live, and if several processes published its verdicts; otherwise the publisher's closing figures, without the skipped tests that it counts as passed. */
export function figures(tally: Record<Outcome, number>, finish: RunFinish | null) {
  if (!finish || (finish.fromParticipants && !hasOnlyFigures(finish, tally))) {
    const { CleanPass: passed, PassOnRetry: passedOnRetry, Skipped: skipped } = tally;
    return { passed, failed: tally.Failed + tally.Aborted, passedOnRetry, skipped };
  }
  const { failed, passedOnRetry } = finish;
  if (finish.skipped !== null) return { passed: finish.passed, failed, passedOnRetry, skipped: finish.skipped };
  return { passed: Math.max(0, finish.passed - tally.Skipped), failed, passedOnRetry, skipped: tally.Skipped };
}

/** Older publishers send it with the step that failed. */
export const rerunIn = (steps: readonly Step[]): string | null =>
  steps.findLast((step) => step.details?.diagnostics?.rerun)?.details?.diagnostics?.rerun ?? null;

export const stepView = (step: Step): StepView => ({
  stepId: step.stepId,
  kind: step.kind,
  text: step.text,
  status: step.status,
  durationMs: step.durationMs,
  errorMessage: step.errorMessage,
  stepNumber: step.stepNumber,
  logs: step.details?.logs ?? [],
  cells: step.cells ?? [],
  progress: step.progress,
  columns: step.details?.columns ?? [],
  values: step.details?.values ?? [],
  diagnostics: step.details?.diagnostics ?? null,
  exceptionType: step.details?.exceptionType ?? null,
  stackTrace: step.details?.stackTrace ?? null,
  stackFrames: step.details?.stackFrames ?? [],
  hiddenStackFrames: step.details?.hiddenStackFrames ?? 0,
  declaredStepNumber: step.details?.declaredStepNumber ?? null,
  plannedStepNumber: step.details?.plannedStepNumber ?? null,
  parentStepNumber: step.details?.parentStepNumber ?? null,
  startMs: step.startMs,
});

/** An attempt before the last; `known` holds its events, if any were received. */
export type EarlierAttempt = { attempt: number; known: Attempt | undefined };

/** A publisher may report any number, so the list of attempts without events is limited. */
const unrecordedAtMost = 100;

/** All attempts before the last, including those without events: the number of the last one shows how many there were. */
export function earlierAttempts(scenario: Scenario): EarlierAttempt[] {
  const recorded = scenario.attempts.slice(0, -1);
  const count = attemptsOf(scenario) - 1;
  if (count - recorded.length > unrecordedAtMost) return recorded.map((known) => ({ attempt: known.number, known }));
  const byNumber = new Map(recorded.map((attempt) => [attempt.number, attempt]));
  return Array.from({ length: count }, (_, index) => ({ attempt: index + 1, known: byNumber.get(index + 1) }));
}

export function attemptsOf(scenario: Scenario): number {
  const last = current(scenario);
  return Math.max(last.attempts ?? 1, last.number);
}
