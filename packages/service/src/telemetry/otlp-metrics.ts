import { type Attribute, attributesOf, nanosOf, type Resource, type Scope } from './otlp.ts';

/** A metric as the registry of `/metrics` returns it. */
export type Reading = {
  name: string;
  help: string;
  type: string;
  values: readonly {
    value: number;
    labels: Readonly<Record<string, string | number | undefined>>;
    metricName?: string;
  }[];
};

/** `since` is when counting began. */
type Times = { since: number; now: number };
type Labels = Reading['values'][number]['labels'];

const cumulative = 2;

/** The metrics of one scope, by the names that `/metrics` has; `extra` distinguishes the ports. */
export function metricsText(
  resource: Resource,
  scope: Scope,
  readings: readonly { readings: readonly Reading[]; extra: Labels }[],
  times: Times,
): string {
  const byName = new Map<string, Reading>();
  for (const { readings: all, extra } of readings)
    for (const reading of all) {
      const values = reading.values.map((one) => ({ ...one, labels: { ...one.labels, ...extra } }));
      const before = byName.get(reading.name)?.values ?? [];
      byName.set(reading.name, { ...reading, values: [...before, ...values] });
    }
  const metrics = [...byName.values()].flatMap((reading) => metricOf(reading, times));
  return JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ scope, metrics }] }] });
}

function metricOf(reading: Reading, times: Times): object[] {
  const { name, help: description, type } = reading;
  if (type === 'histogram') {
    const dataPoints = histogramPoints(reading, times);
    return dataPoints.length === 0
      ? []
      : [{ name, description, histogram: { dataPoints, aggregationTemporality: cumulative } }];
  }
  const isCounter = type === 'counter';
  const dataPoints = reading.values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({
      attributes: attributesOfLabels(labels),
      ...(isCounter && { startTimeUnixNano: nanosOf(times.since) }),
      timeUnixNano: nanosOf(times.now),
      asDouble: value,
    }));
  if (dataPoints.length === 0 || (!isCounter && type !== 'gauge')) return [];
  return isCounter
    ? [{ name, description, sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } }]
    : [{ name, description, gauge: { dataPoints } }];
}

type Histogram = { labels: Labels; buckets: [bound: number, below: number][]; sum: number; count: number };

/** A bucket of Prometheus counts all values below its bound; a bucket of OTLP counts only those between two bounds. */
function histogramPoints({ values }: Reading, { since, now }: Times): object[] {
  const byLabels = new Map<string, Histogram>();
  for (const { value, labels: all, metricName = '' } of values) {
    const { le, ...labels } = all;
    const key = JSON.stringify(labels);
    const point = byLabels.get(key) ?? { labels, buckets: [], sum: 0, count: 0 };
    byLabels.set(key, point);
    if (metricName.endsWith('_sum')) point.sum = value;
    else if (metricName.endsWith('_count')) point.count = value;
    else if (le !== undefined && le !== '+Inf') point.buckets.push([Number(le), value]);
  }
  return [...byLabels.values()].map(({ labels, buckets, sum, count }) => {
    const sorted = buckets.sort(([a], [b]) => a - b);
    const below = [0, ...sorted.map(([, value]) => value), count];
    return {
      attributes: attributesOfLabels(labels),
      startTimeUnixNano: nanosOf(since),
      timeUnixNano: nanosOf(now),
      count: String(count),
      sum,
      bucketCounts: below.slice(1).map((value, at) => String(Math.max(0, value - (below[at] ?? 0)))),
      explicitBounds: sorted.map(([bound]) => bound),
    };
  });
}

const attributesOfLabels = (labels: Labels): Attribute[] =>
  attributesOf(Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, value?.toString()])));
