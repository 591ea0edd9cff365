import type { Span, TraceIds } from './otlp.ts';

/** A trace is created when its turn comes, so that waiting traces take no memory. */
export type SpanSource = () => AsyncIterable<Span> | Iterable<Span>;

/** The exporter as used by the rooms that send traces. */
export type Traces = {
  ids: TraceIds;
  /** Sends the spans later; never throws and never waits. */
  send(spans: SpanSource): void;
};

/** The address and headers for one signal. */
export type OtlpTarget = { url: string; headers: Readonly<Record<string, string>>; timeoutMs: number };

export type OtelSettings = {
  traces: OtlpTarget | null;
  metrics: OtlpTarget | null;
  metricsEveryMs: number;
  /** Attributes of the resource, in addition to those that the service sets. */
  attributes: Readonly<Record<string, string>>;
};
