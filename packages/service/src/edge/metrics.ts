import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { ExtraRoute } from './openapi.ts';
import { Counter, counter, gauge, Histogram, type Measure, metricsText } from './prometheus-text.ts';

/** What the parts of a port know about themselves, asked for at each reading. */
export type CollectMeasures = () => Iterable<Measure>;

/** Called for each answered request. */
export type RecordRequest = (route: string, status: number, ms: number) => void;

/** Counts the requests of a port and serves them, with what the process and its parts know, at `/metrics`. */
export function addMetrics(
  app: FastifyInstance,
  version: string,
  collect: CollectMeasures,
): { route: ExtraRoute; note: RecordRequest } {
  const requests = new Counter();
  const durations = new Histogram('signalbox_http_request_duration_seconds', 'Time to answer, by route.', 'route');
  const note: RecordRequest = (route, status, ms) => {
    requests.add({ route, status: `${Math.floor(status / 100)}xx` });
    durations.observe(route, ms / 1000);
  };
  app.addHook('onResponse', async (request, reply) =>
    note(`${request.method} ${request.routeOptions.url ?? 'nowhere'}`, reply.statusCode, reply.elapsedTime),
  );
  const delay = monitorEventLoopDelay({ resolution: 20 });
  app.addHook('onReady', async () => void delay.enable());
  app.addHook('onClose', async () => void delay.disable());
  app.get('/metrics', (_, reply) => {
    const own = [
      gauge('signalbox_build_info', 'The version that runs.', { labels: { version }, value: 1 }),
      counter('signalbox_http_requests_total', 'Requests answered, by route and class of status.', requests.samples()),
    ];
    reply.type('text/plain; version=0.0.4; charset=utf-8');
    return metricsText([...own, ...collect(), ...processMeasures(delay)]) + durations.text();
  });
  return { route: metricsRoute, note };
}

export const metricsRoute: ExtraRoute = {
  method: 'GET',
  path: '/metrics',
  operation: {
    operationId: 'metrics',
    summary: 'Measures of this process in the Prometheus text format. Wants the token like every route.',
    responses: { '2XX': { description: 'Measures', content: { 'text/plain': { schema: { type: 'string' } } } } },
  },
};

/** Named as Prometheus' own clients name them, so that dashboards for Node fit. */
function processMeasures(delay: ReturnType<typeof monitorEventLoopDelay>): Measure[] {
  const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const measures = [
    gauge('process_resident_memory_bytes', 'Resident memory.', { value: rss }),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', { value: heapUsed }),
    gauge('nodejs_heap_size_total_bytes', 'Heap taken.', { value: heapTotal }),
    gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', { value: external }),
    counter('process_cpu_seconds_total', 'CPU time used.', [{ value: (user + system) / 1e6 }]),
    gauge('process_start_time_seconds', 'When the process started.', {
      value: Math.round(performance.timeOrigin / 1000),
    }),
    gauge('nodejs_eventloop_lag_mean_seconds', 'Delay of the event loop since the last reading: mean.', {
      value: seconds(delay.mean),
    }),
    gauge('nodejs_eventloop_lag_p99_seconds', 'The same: 99th percentile.', { value: seconds(delay.percentile(99)) }),
    gauge('nodejs_eventloop_lag_max_seconds', 'The same: longest.', { value: seconds(delay.max) }),
  ];
  delay.reset();
  return measures;
}
