import type { Ingest } from '../console/runs/ingest.ts';
import type { RunQueries } from '../console/runs/run-queries.ts';
import { stateOf } from '../console/runs/run-registry.ts';
import { CollectedMeasures } from '../edge/metrics.ts';
import { isRefusal } from '../kernel/outcome.ts';

/** Metrics of the console; `counted` wraps ingest. */
export function consoleMeasures(runQueries: RunQueries) {
  const measures = new CollectedMeasures();
  measures.gaugeByWord('signalbox_runs', 'Runs on the board, by state.', 'state', () =>
    runQueries.runs.registry.all().map(stateOf),
  );
  const count = measures.counterByWord(
    'signalbox_ingest_events_total',
    'Monitor events received, by result.',
    'result',
  );
  const counted =
    (ingest: Ingest, onWritten: (writable: boolean) => void): Ingest =>
    async (body, origin) => {
      const answer = await ingest(body, origin);
      if (isRefusal(answer)) {
        if (answer.code === 'store_unavailable') onWritten(false);
        return answer;
      }
      if (answer.accepted > 0) onWritten(true);
      count('accepted', answer.accepted);
      count('ignored', answer.ignored);
      count('rejected', answer.rejected.length);
      return answer;
    };
  return { counted, measures: measures.registry };
}
