/** The caller's span that a trace continues. `isSampled`: the caller records it. */
export type TraceParent = { traceId: string; spanId: string; isSampled: boolean };

/** Later versions of the format may append more parts. */
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.{0,200})?$/;

/** A W3C `traceparent`; undefined for anything else. */
export function readTraceParent(value: unknown): TraceParent | undefined {
  if (typeof value !== 'string' || value.length > 300) return undefined;
  const [, version, traceId, spanId, flags = '', more] = format.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The stored form; undefined for anything that is not a `traceparent`. */
export function traceParentText(value: unknown): string | undefined {
  const parent = readTraceParent(value);
  return parent && `00-${parent.traceId}-${parent.spanId}-${parent.isSampled ? '01' : '00'}`;
}
