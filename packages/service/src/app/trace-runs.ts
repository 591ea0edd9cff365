import type { ConsoleRuns } from '../console/runs/console-runs.ts';
import type { BoardRun } from '../console/runs/run-registry.ts';
import { spansOfRun, traceOfRun } from '../console/runs/run-spans.ts';
import type { Span } from '../telemetry/otlp.ts';
import type { Traces } from '../telemetry/ports.ts';
import { readTraceParent } from '../telemetry/trace-parent.ts';

/** This many sent runs are remembered, so that late events do not send them again. */
const mostRemembered = 10_000;

type TracedRuns = Pick<ConsoleRuns, 'registry' | 'cache' | 'summaries'>;

/** Sends each run as a trace once it is over, unless it belongs to a trace that its caller does not record. */
export function traceRuns(traces: Traces, runs: TracedRuns): void {
  const sent = new Map<string, string>();
  runs.registry.listen({
    ended(boardRun) {
      if (readTraceParent(boardRun.head.traceparent)?.isSampled === false) return;
      const { state } = runs.summaries.of(boardRun);
      if (state === 'running' || state === 'unreadable' || sent.get(boardRun.runId) === state) return;
      sent.delete(boardRun.runId);
      sent.set(boardRun.runId, state);
      const [oldest] = sent.keys();
      if (sent.size > mostRemembered && oldest !== undefined) sent.delete(oldest);
      traces.send(() => spansOf(boardRun, traces, runs));
    },
  });
}

async function* spansOf(boardRun: BoardRun, { ids }: Traces, { cache, summaries }: TracedRuns): AsyncGenerator<Span> {
  const run = await cache.load(boardRun);
  if (run) yield* spansOfRun(run, summaries.of(boardRun), ids);
}

/** The trace of a run of this console; a run that is not here has the trace derived from its id. */
export const traceOfRunIn =
  ({ ids }: Traces, { registry }: Pick<ConsoleRuns, 'registry'>) =>
  (runId: string) =>
    traceOfRun(runId, registry.get(runId)?.head.traceparent, ids);
