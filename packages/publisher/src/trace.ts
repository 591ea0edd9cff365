import { createHash } from 'node:crypto';

// Ids of traces and spans are derived from their subjects. A publisher can therefore refer to the span that the
// service sends later, and a restarted service sends the same spans, not new ones. The service imports this file.

const idOf = (length: number, parts: readonly (string | number)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);

/** 16 bytes, as hexadecimal digits. */
export const traceIdOf = (...parts: readonly (string | number)[]): string => idOf(32, parts);
/** 8 bytes, as hexadecimal digits. */
export const spanIdOf = (...parts: readonly (string | number)[]): string => idOf(16, ['span', ...parts]);

/** The trace of a run without a trace from its caller. */
export const runTraceId = (runId: string): string => traceIdOf('run', runId.toLowerCase());
export const runSpanId = (runId: string): string => spanIdOf('run', runId.toLowerCase());
/** One attempt of a test. */
export const testSpanId = (runId: string, uid: string, attempt: number): string =>
  spanIdOf('run', runId.toLowerCase(), uid, attempt);

/** The trace id and the flags of a W3C `traceparent`. */
function traceOf(parent: string | null | undefined): { traceId: string; flags: string } | undefined {
  const [, traceId, flags] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/.exec(parent?.trim() ?? '') ?? [];
  return traceId === undefined || flags === undefined ? undefined : { traceId, flags };
}

/** `TRACEPARENT` of the environment, if valid. */
export const parentIn = (env: Readonly<Record<string, string | undefined>>): string | null =>
  traceOf(env.TRACEPARENT) === undefined ? null : (env.TRACEPARENT?.trim() ?? null);

/** The `traceparent` for tests of a run, so that a service under test continues its trace; `parent` is the one that the run itself continues. */
export function traceparentOf(runId: string, parent: string | null, spanId = runSpanId(runId)): string {
  const { traceId = runTraceId(runId), flags = '01' } = traceOf(parent) ?? {};
  // Only the flag that is known is passed on: whether the trace is recorded.
  return `00-${traceId}-${spanId}-${Number.parseInt(flags, 16) & 1 ? '01' : '00'}`;
}
