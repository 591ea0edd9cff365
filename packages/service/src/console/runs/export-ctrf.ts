import type { RunSummary } from './contract.ts';
import { jsonWithList, jsonWithPieces } from './export-stream.ts';
import { current } from './fold-scenarios.ts';
import { lastError } from './fold-steps.ts';
import type { AttachmentEntry, Attempt, Run, Scenario, Step } from './run.ts';
import {
  attemptsOf,
  detailWithoutScenarios,
  type EarlierAttempt,
  eachScenario,
  earlierAttempts,
  retryReasonsOf,
} from './run-views.ts';

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** The run in the Common Test Report Format, piece by piece. Unknown members are left out, since the format allows no null. */
export function* ctrfOf(run: Run, summary: RunSummary, version: string): Iterable<string> {
  const ended = summary.state !== 'running';
  const lanes = lanesByUid(run);
  const results = {
    tool: { name: 'signalbox', version },
    summary: totals(run, summary, ended),
    environment: withoutNulls({
      reportName: summary.suite,
      repositoryName: summary.repositoryName,
      branchName: summary.branch,
      healthy: run.workerFaults.length === 0 && run.stalls.length === 0,
    }),
    extra: extraMembersOf(run, summary),
  };
  const head = JSON.stringify({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: run.runId,
    generatedBy: 'signalbox',
  });
  yield `${head.slice(0, -1)},"results":`;
  yield* jsonWithPieces(results, 'tests', tests(run, ended, lanes));
  yield '}';
}

/** A test with many attempts and long texts is written attempt by attempt. */
function* tests(run: Run, ended: boolean, lanes: ReadonlyMap<string, number>): Iterable<Iterable<string>> {
  for (const scenario of eachScenario(run)) {
    const earlier = earlierAttempts(scenario);
    const test = testOf(scenario, earlier.length, ended, lanes.get(scenario.uid));
    yield earlier.length === 0 ? [JSON.stringify(test)] : jsonWithList(test, 'retryAttempts', retriesOf(earlier));
  }
}

function* retriesOf(earlier: readonly EarlierAttempt[]): Iterable<object> {
  for (const attempt of earlier) yield retryOf(attempt);
}

function totals(run: Run, summary: RunSummary, ended: boolean) {
  const { CleanPass, PassOnRetry, Failed, Aborted, Skipped } = run.tally;
  const open = run.scenarios.size - CleanPass - PassOnRetry - Failed - Aborted - Skipped;
  return {
    tests: run.scenarios.size,
    passed: CleanPass + PassOnRetry,
    failed: Failed,
    skipped: Skipped,
    pending: ended ? 0 : open,
    other: Aborted + (ended ? open : 0),
    flaky: PassOnRetry,
    start: msOf(summary.startedAt) ?? 0,
    stop: msOf(summary.finishedAt ?? (summary.startedAt === null ? null : summary.lastEventAt)) ?? 0,
  };
}

function ctrfStatus(scenario: Scenario, ended: boolean): CtrfStatus {
  switch (current(scenario).outcome) {
    case 'CleanPass':
    case 'PassOnRetry':
      return 'passed';
    case 'Failed':
      return 'failed';
    case 'Skipped':
      return 'skipped';
    case 'Aborted':
      return 'other';
    default:
      return ended ? 'other' : 'pending';
  }
}

function testOf(scenario: Scenario, retries: number, ended: boolean, lane: number | undefined): object {
  const last = current(scenario);
  const { uid, feature, written } = scenario;
  const failed = last.outcome === 'Failed' || last.outcome === 'Aborted';
  return withoutNulls({
    name: titleOf(scenario),
    status: ctrfStatus(scenario, ended),
    duration: Math.max(0, last.durationMs ?? 0),
    testId: uid,
    ...timesOf(last),
    suite: feature === '' ? null : [feature, ...(written?.path?.slice(0, -1) ?? [])],
    message: last.errorMessage ?? last.skipReason ?? (last.outcome === null && ended ? unheard : null),
    trace: failed ? traceOf(last) : null,
    filePath: written?.file ?? last.location?.file ?? null,
    line: written?.file ? written.line : (last.location?.line ?? null),
    tags: filled(written?.tags ?? []),
    stdout: filled(last.output?.stdout ?? []),
    stderr: filled(last.output?.stderr ?? []),
    attachments: filled((scenario.attachments ?? []).map(attachmentOf)),
    rawStatus: last.state ?? last.outcome ?? (ended ? 'lost' : 'running'),
    retries,
    flaky: last.outcome === 'PassOnRetry',
    threadId: lane === undefined ? null : `lane-${lane}`,
    steps: last.steps.length > 0 ? last.steps.map(stepOf) : null,
    extra: withoutNulls({
      uid,
      outcome: last.outcome,
      project: written?.project ?? null,
      todo: last.todo || null,
      errors: last.errors && last.errors.length > 1 ? last.errors : null,
      attempts: attemptsOf(scenario) > retries + 1 ? attemptsOf(scenario) : null,
      retryReasons: retryReasonsOf(scenario),
      touchedTypes: filled(scenario.touchedTypes ?? []),
    }),
  });
}

const titleOf = ({ uid, feature, scenario }: Scenario): string => {
  const name = scenario === '' ? uid : scenario;
  return feature === '' ? name : `${feature}: ${name}`;
};

function retryOf({ attempt, known }: EarlierAttempt): object {
  if (!known) return { attempt, status: 'failed' };
  const { outcome, disposition, reason, steps } = known;
  const passed = outcome === 'CleanPass' || outcome === 'PassOnRetry';
  return withoutNulls({
    attempt,
    status: passed ? 'passed' : outcome === 'Skipped' ? 'skipped' : 'failed',
    duration: known.durationMs === null ? null : Math.max(0, known.durationMs),
    message: known.errorMessage ?? lastError(steps),
    trace: traceOf(known),
    ...timesOf(known),
    extra: withoutNulls({ disposition, reason, steps: steps.map(stepOf) }),
  });
}

export const traceOf = ({ location, steps }: Attempt): string | null =>
  location?.stackTrace ?? steps.findLast((step) => step.details?.stackTrace !== undefined)?.details?.stackTrace ?? null;

const stepOf = (step: Step): object => ({
  name: `${step.kind} ${step.text}`.trim() || step.stepId || 'step',
  status: stepStatus(step.status),
  extra: withoutNulls({ durationMs: step.durationMs, status: step.status, errorMessage: step.errorMessage }),
});

const stepStatus = (status: string): CtrfStatus =>
  status === 'ok' || status === 'success' ? 'passed' : status === 'running' ? 'pending' : 'failed';

function extraMembersOf(run: Run, summary: RunSummary): object {
  const { runId, repository, branch, mode, exitCode, totalScenarios, finished, state, lost, indeterminate, tag } =
    summary;
  const { lanes, recycles, workerFaults, stalls } = detailWithoutScenarios(run, summary);
  return withoutNulls({
    runId,
    repository,
    branch,
    mode,
    exitCode,
    totalScenarios,
    finished,
    state,
    lost,
    indeterminate,
    tag,
    partial: state === 'running' ? true : null,
    lanes: filled(lanes.map(({ running, processId, purpose, ...lane }) => lane)),
    recycles: filled(recycles),
    workerFaults: filled(workerFaults),
    stalls: filled(stalls),
  });
}

function lanesByUid(run: Run): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  for (const { lane, uids } of run.lanes.values()) for (const uid of uids) lanes.set(uid, lane);
  return lanes;
}

const unheard = 'the run ended before this test had a verdict';

/** A test's own times: a runner that reports in batches still reports each duration. */
function timesOf({ startedAt, finishedAt, durationMs }: Attempt): { start: number | null; stop: number | null } {
  const stop = msOf(finishedAt);
  const reported = msOf(startedAt);
  const counted = stop === null || durationMs === null ? null : stop - Math.max(0, durationMs);
  const isBehind = reported !== null && stop !== null && reported > stop;
  return { start: isBehind ? counted : (reported ?? counted), stop };
}

const attachmentOf = ({ name, mediaType, sha256 }: AttachmentEntry): object => ({
  name: name || 'attachment',
  contentType: mediaType,
  path: name || sha256 || 'attachment',
  extra: { sha256 },
});

const filled = <Item>(list: readonly Item[]): readonly Item[] | null => (list.length > 0 ? list : null);

const msOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));

function withoutNulls(object: Record<string, unknown>): object {
  for (const [name, value] of Object.entries(object)) if (value === null || value === undefined) delete object[name];
  return object;
}
