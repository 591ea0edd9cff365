import type { RunSummary } from '../../kernel/run-summary.ts';
import { eventOf, exceptionOf, failed, ok, type Span, spanOf, type TraceIds, unset } from '../../telemetry/otlp.ts';
import { readTraceParent } from '../../telemetry/trace-parent.ts';
import type { Attempt, Run, Scenario, Step } from './run.ts';
import { suiteOf } from './run-views.ts';

/** A run as another trace links to it. */
export type RunTrace = { traceId: string; spanId: string; parentSpanId: string | undefined };

/** The trace that the caller gave to the run, otherwise one of its own. */
export function traceOfRun(runId: string, traceparent: string | undefined, ids: TraceIds): RunTrace {
  const own = runId.toLowerCase();
  const spanId = ids.spanId('run', own);
  const parent = readTraceParent(traceparent);
  return {
    traceId: parent?.traceId ?? ids.traceId('run', own),
    spanId,
    // Publishers that joined the run received the span of the run itself.
    parentSpanId: parent?.spanId === spanId ? undefined : parent?.spanId,
  };
}

const mostEvents = 50;

type Around = { trace: RunTrace; ids: TraceIds; runId: string; startMs: number; endMs: number };

/** An ended run as spans, one by one: the run, each attempt of a test, each step. */
export function* spansOfRun(run: Run, summary: RunSummary, ids: TraceIds): Generator<Span> {
  const trace = traceOfRun(run.runId, run.traceparent, ids);
  const startMs = msOf(summary.startedAt ?? summary.receivedAt) ?? 0;
  const endMs = msOf(summary.finishedAt ?? summary.endedAt ?? summary.lastEventAt) ?? startMs;
  yield runSpan(run, summary, { trace, ids, runId: run.runId.toLowerCase(), startMs, endMs });
  for (const scenario of run.scenarios.values())
    for (const attempt of scenario.attempts)
      yield* testSpans(scenario, attempt, { trace, ids, runId: run.runId.toLowerCase(), startMs, endMs });
}

function runSpan(run: Run, summary: RunSummary, { trace, startMs, endMs }: Around): Span {
  const { state, green, failed: failures, scenarios, interrupted } = summary;
  const why = state === 'orphaned' ? 'its publisher is gone' : `${failures} of ${scenarios} tests failed`;
  return spanOf({
    ...trace,
    name: suiteOf(run.start),
    startMs,
    endMs,
    status: green === true ? ok : green === null && state === 'finished' ? unset : failed(interrupted ?? why),
    attributes: {
      'signalbox.run.id': run.runId,
      'signalbox.run.tag': summary.tag,
      'signalbox.run.state': state,
      'signalbox.run.session': summary.session,
      'signalbox.run.passed': summary.passed,
      'signalbox.run.failed': failures,
      'signalbox.run.passed_on_retry': summary.passedOnRetry,
      'signalbox.run.skipped': summary.skipped,
      'signalbox.run.lost': summary.lost,
      'test.suite.name': summary.suite,
      'test.suite.run.status': green === true ? 'success' : interrupted || state === 'orphaned' ? 'aborted' : 'failure',
      'process.exit.code': summary.exitCode,
      'vcs.repository.name': summary.repositoryName,
      'vcs.ref.head.name': summary.branch,
      'vcs.ref.head.revision': summary.commit,
    },
    events: [
      ...run.workerFaults
        .slice(0, mostEvents)
        .map(({ at, fault, standardError: stack }) =>
          exceptionOf(msOf(at) ?? endMs, { type: 'worker_faulted', message: fault, stack }),
        ),
      ...run.stalls.slice(0, mostEvents).map(({ at, displayName, inFlightMs }) =>
        eventOf(msOf(at) ?? endMs, 'test_stalled', {
          'test.case.name': displayName,
          'signalbox.stalled_ms': inFlightMs,
        }),
      ),
    ],
  });
}

function* testSpans(scenario: Scenario, attempt: Attempt, around: Around): Generator<Span> {
  const { trace, ids, runId } = around;
  const spanId = ids.spanId('run', runId, scenario.uid, attempt.number);
  const startMs = startOf(attempt, around);
  const endMs = msOf(attempt.finishedAt) ?? (attempt.durationMs === null ? around.endMs : startMs + attempt.durationMs);
  const { outcome, errorMessage } = attempt;
  const isPassed = outcome === 'CleanPass' || outcome === 'PassOnRetry';
  yield spanOf({
    traceId: trace.traceId,
    spanId,
    parentSpanId: trace.spanId,
    name: scenario.scenario,
    startMs,
    endMs,
    status: isPassed ? ok : outcome === 'Skipped' ? unset : failed(errorMessage ?? (outcome ? 'failed' : 'no verdict')),
    attributes: {
      'test.case.name': scenario.scenario,
      'test.case.result.status': isPassed ? 'pass' : outcome === 'Skipped' ? undefined : 'fail',
      'test.suite.name': scenario.feature,
      'signalbox.test.uid': scenario.uid,
      'signalbox.test.attempt': attempt.number,
      'signalbox.test.outcome': outcome ?? 'Lost',
      'signalbox.test.lane': attempt.lane,
      'signalbox.test.skip_reason': attempt.skipReason,
      'code.file.path': scenario.written?.file ?? attempt.location?.file,
      'code.line.number': scenario.written?.line ?? attempt.location?.line,
    },
    events: isPassed ? [] : errorsOf(attempt, endMs),
  });
  const spanOfNumber = new Map<number, string>();
  for (const [at, step] of attempt.steps.entries()) {
    const own = ids.spanId('run', runId, scenario.uid, attempt.number, at);
    if (step.stepNumber !== null) spanOfNumber.set(step.stepNumber, own);
    const parentSpanId = spanOfNumber.get(step.details?.parentStepNumber ?? Number.NaN) ?? spanId;
    yield stepSpan(step, { traceId: trace.traceId, spanId: own, parentSpanId }, startMs, endMs);
  }
}

/** If the start was not reported, it is computed from the duration. */
function startOf({ startedAt, finishedAt, durationMs }: Attempt, { startMs }: Around): number {
  const finished = msOf(finishedAt);
  return msOf(startedAt) ?? (finished === undefined ? startMs : finished - (durationMs ?? 0));
}

function errorsOf({ errors, errorMessage, location }: Attempt, atMs: number) {
  const named = (errors ?? []).flatMap(({ message, name: type, stack }) => (message ? [{ message, type, stack }] : []));
  const only = errorMessage === null ? [] : [{ message: errorMessage, stack: location?.stackTrace }];
  return (named.length > 0 ? named : only).slice(0, mostEvents).map((error) => exceptionOf(atMs, error));
}

function stepSpan(
  step: Step,
  ids: { traceId: string; spanId: string; parentSpanId: string },
  testMs: number,
  testEndMs: number,
): Span {
  const startMs = testMs + (step.startMs ?? 0);
  const endMs = step.durationMs === null ? testEndMs : startMs + step.durationMs;
  const isFailed = step.errorMessage !== null || /^(?:failed|error|missing|invalid)$/.test(step.status);
  const message = step.errorMessage ?? step.status;
  const stack = step.details?.stackTrace;
  return spanOf({
    ...ids,
    name: `${step.kind} ${step.text}`.trim(),
    startMs,
    endMs,
    status: isFailed ? failed(message) : step.status === 'ok' || step.status === 'success' ? ok : unset,
    attributes: {
      'signalbox.step.id': step.stepId,
      'signalbox.step.kind': step.kind,
      'signalbox.step.status': step.status,
    },
    events: isFailed ? [exceptionOf(endMs, { type: step.details?.exceptionType, message, stack })] : [],
  });
}

function msOf(at: string | null | undefined): number | undefined {
  const ms = Date.parse(at ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
