import type { RunQueries } from '../console/runs/run-queries.ts';
import { stateOf } from '../console/runs/run-queries.ts';
import { Counter, countByLabel, counter, gauge, type Measure } from '../edge/prometheus-text.ts';
import { isRefusal, type Refusal } from '../kernel/outcome.ts';

type IngestResult = { accepted: number; ignored: number; rejected: readonly object[] };

/** What the console knows of itself; `counted` is put in front of ingest. */
export function consoleMeasures(runQueries: RunQueries) {
  const events = new Counter();
  const counted =
    <Answer extends object>(ingest: (body: Uint8Array) => Promise<Answer | Refusal>) =>
    async (body: Uint8Array): Promise<Answer | Refusal> => {
      const answer = await ingest(body);
      if (isRefusal(answer)) return answer;
      const { accepted, ignored, rejected } = answer as unknown as IngestResult;
      events.add({ result: 'accepted' }, accepted);
      events.add({ result: 'ignored' }, ignored);
      events.add({ result: 'rejected' }, rejected.length);
      return answer;
    };
  const measures = (): Measure[] => [
    counter('signalbox_ingest_events_total', 'Monitor events taken in, by what became of them.', events.samples()),
    gauge(
      'signalbox_runs',
      'Runs on the board, by state.',
      ...countByLabel('state', runQueries.runs.registry.all().map(stateOf)),
    ),
  ];
  return { counted, measures };
}
