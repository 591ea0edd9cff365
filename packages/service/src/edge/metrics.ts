import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ExtraRoute } from './openapi.ts';

/** Called for each answered request. */
export type RecordRequest = (route: string, status: number, ms: number) => void;

/** Buckets in seconds, from a lookup in memory to a call that seems stuck. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts the requests of a port and serves them at `/metrics`, together with the measures of the port's parts and the shared measures. */
export function addMetrics(
  app: FastifyInstance,
  version: string,
  measures: readonly Registry[],
  shared: readonly Registry[],
): { route: ExtraRoute; note: RecordRequest; own: Registry } {
  const registers = [new Registry()];
  const requests = new Counter({
    name: 'signalbox_http_requests_total',
    help: 'Requests answered, by route and class of status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'signalbox_http_request_duration_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const build = { name: 'signalbox_build_info', help: 'The version that runs.', labelNames: ['version'], registers };
  new Gauge(build).set({ version }, 1);
  const note: RecordRequest = (route, status, ms) => {
    requests.inc({ route, status: `${Math.floor(status / 100)}xx` });
    durations.observe({ route }, ms / 1000);
  };
  app.addHook('onResponse', async (request, reply) =>
    note(`${request.method} ${request.routeOptions.url ?? 'nowhere'}`, reply.statusCode, reply.elapsedTime),
  );
  const own = Registry.merge([...registers, ...measures]);
  const all = Registry.merge([own, ...shared]);
  app.get('/metrics', async (_, reply) => reply.type(all.contentType).send(await all.metrics()));
  return { route: metricsRoute, note, own };
}

export const metricsRoute: ExtraRoute = {
  method: 'GET',
  path: '/metrics',
  scope: 'read',
  operation: {
    operationId: 'metrics',
    summary: 'Metrics of this process in the Prometheus text format. Needs a token like every other route.',
    responses: { '200': { description: 'Measures', content: { 'text/plain': { schema: { type: 'string' } } } } },
  },
};

let ofThisProcess: Registry | undefined;

/** Memory, processor and event loop are the process's: collected once, served by both ports. */
export function processMeasures(): Registry {
  if (!ofThisProcess) {
    ofThisProcess = new Registry();
    collectDefaultMetrics({ register: ofThisProcess });
    // These gauges have names that end in _total, as if they were counters, so they are dropped; the same measures by
    // type, without _total, are kept.
    for (const name of ['handles', 'requests', 'resources'])
      ofThisProcess.removeSingleMetric(`nodejs_active_${name}_total`);
  }
  return ofThisProcess;
}

/** Measures that compute their value at each scrape, in a separate registry. */
export class CollectedMeasures {
  readonly registry = new Registry();

  /** Null if there is nothing to measure now; the measure is then omitted. */
  gauge(name: string, help: string, value: () => number | null): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        const now = value();
        if (now === null) this.reset();
        else this.set(now);
      },
    });
  }

  /** A value for each word; labels come from a fixed set. */
  gaugeOf(name: string, help: string, label: string, values: () => Iterable<readonly [string, number]>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [word, value] of values()) this.set({ [label]: word }, value);
      },
    });
  }

  /** A count for each word; labels come from a fixed set. */
  gaugeByWord(name: string, help: string, label: string, words: () => Iterable<string>): void {
    this.gaugeOf(name, help, label, () => {
      const counts = new Map<string, number>();
      for (const word of words()) counts.set(word, (counts.get(word) ?? 0) + 1);
      return counts;
    });
  }

  counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  /** Counters that are incremented when something happens. */
  counterByWord(name: string, help: string, label: string): (word: string, by?: number) => void {
    const counts = new Map<string, number>();
    this.countsByWord(name, help, label, counts);
    return (word, by = 1) => void counts.set(word, (counts.get(word) ?? 0) + by);
  }

  /** The counting happens elsewhere. */
  countsByWord(
    name: string,
    help: string,
    label: string,
    counts: Iterable<readonly [word: string, count: number]>,
  ): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [word, count] of counts) this.inc({ [label]: word }, count);
      },
    });
  }
}
