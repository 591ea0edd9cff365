import { spanIdOf, traceIdOf } from '../../../../publisher/src/trace.ts';
import type { Clock } from '../../kernel/clock.ts';
import { attributesOf, type Resource, type Scope } from '../otlp.ts';
import { metricsText, type Reading } from '../otlp-metrics.ts';
import type { OtelSettings, OtlpTarget, Traces } from '../ports.ts';
import { postOtlp } from './post-otlp.ts';
import { TraceExporter } from './trace-exporter.ts';

export type TelemetryDeps = {
  settings: OtelSettings;
  clock: Clock;
  hostName: string;
  version: string;
  warn: (details: object, text: string) => void;
  /** Called after each attempt, with the signal that was sent. */
  onTried: (signal: string, isTaken: boolean) => void;
};

/** A registry of `/metrics`. */
export type ReadMeasures = { getMetricsAsJSON(): Promise<readonly object[]> };

export type Telemetry = {
  traces: Traces | null;
  /** `port` distinguishes the same measures of the two ports. */
  addMeasures(measures: ReadMeasures, port?: string): void;
  /** How many traces, and readings of the metrics, were sent and dropped. */
  counts: { traces: Iterable<readonly [string, number]>; metrics: Iterable<readonly [string, number]> };
  /** Tries once to send the rest. */
  stop(): Promise<void>;
};

const stopMs = 2_000;

/** Sends traces and metrics to an OpenTelemetry collector from now on. */
export function openTelemetry({ settings, clock, hostName, version, warn, onTried }: TelemetryDeps): Telemetry {
  const resource: Resource = {
    attributes: attributesOf({
      'service.name': 'signalbox',
      'service.version': version,
      'host.name': hostName,
      ...settings.attributes,
    }),
  };
  const about = { resource, scope: { name: 'signalbox', version } };
  const said = new Set<string>();
  const tried = (signal: string) => (isTaken: boolean, why: string | null) => {
    onTried(signal, isTaken);
    if (why === null || said.has(`${signal} ${why}`) || said.size > 100) return;
    said.add(`${signal} ${why}`);
    warn({ signal, why }, isTaken ? 'the collector accepted only part of it' : 'the collector rejected it');
  };
  const exporter =
    settings.traces &&
    new TraceExporter({
      ...{ ...about, clock, target: settings.traces, onTried: tried('OpenTelemetry traces') },
      onFault: (err) => warn({ err }, 'a trace could not be built'),
    });
  const metrics =
    settings.metrics &&
    sendMetrics(settings.metrics, settings.metricsEveryMs, {
      ...about,
      clock,
      onTried: tried('OpenTelemetry metrics'),
    });
  let stopped: Promise<void> | undefined;
  return {
    traces: exporter && { ids: { traceId: traceIdOf, spanId: spanIdOf }, send: (source) => exporter.send(source) },
    addMeasures: (measures, port) => void metrics?.add(measures, port),
    counts: { traces: exporter?.counts ?? [], metrics: metrics?.counts ?? [] },
    stop: () => {
      stopped ??= Promise.all([exporter?.stop(), metrics?.stop()]).then(() => undefined);
      return stopped;
    },
  };
}

type MetricsDeps = {
  resource: Resource;
  scope: Scope;
  clock: Clock;
  onTried: (isTaken: boolean, why: string | null) => void;
};

/** One reading at a time, each sent once without retries: the next one contains everything that was lost. */
function sendMetrics(target: OtlpTarget, everyMs: number, { resource, scope, clock, onTried }: MetricsDeps) {
  const all: { measures: ReadMeasures; port: string | undefined }[] = [];
  const counts = new Map([
    ['sent', 0],
    ['dropped', 0],
  ]);
  const since = clock.wall();
  const stopped = new AbortController();
  const send = async () => {
    const readings = await Promise.all(
      all.map(async ({ measures, port }) => ({
        readings: (await measures.getMetricsAsJSON()) as Reading[],
        extra: port === undefined ? {} : { port },
      })),
    );
    const body = metricsText(resource, scope, readings, { since, now: clock.wall() });
    const posted = await postOtlp(target, body, stopped.signal);
    const isTaken = posted.kind === 'taken';
    onTried(isTaken, isTaken ? posted.rejected : posted.why);
    const word = isTaken ? 'sent' : 'dropped';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  let last: Promise<void> = Promise.resolve();
  const sendNow = () => {
    last = send().catch(() => undefined);
    return last;
  };
  const stopSending = clock.every(everyMs, sendNow);
  return {
    counts,
    add: (measures: ReadMeasures, port: string | undefined) => void all.push({ measures, port }),
    async stop() {
      stopSending();
      const timer = setTimeout(() => stopped.abort(), stopMs);
      await last;
      await sendNow();
      clearTimeout(timer);
    },
  };
}
