import { withoutPasswords } from '../kernel/address.ts';

// The shapes of OTLP as JSON (opentelemetry-proto 1.x): ids are hexadecimal, 64 bit numbers are texts, enums are numbers.

type Value =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: Value[] } };
export type Attribute = { key: string; value: Value };
type SpanEvent = { timeUnixNano: string; name: string; attributes: readonly Attribute[] };
export type SpanLink = { traceId: string; spanId: string; attributes?: readonly Attribute[] };

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: typeof internalSpan;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: readonly Attribute[];
  events?: readonly SpanEvent[];
  links?: readonly SpanLink[];
  status: { code: number; message?: string };
};

/** Computes the same ids from the same parts, also after a restart. */
export type TraceIds = {
  traceId(...parts: readonly (string | number)[]): string;
  spanId(...parts: readonly (string | number)[]): string;
};

export const internalSpan = 1;
const statusOk = 1;
const statusError = 2;

/** Limits for texts of others: only as much is sent as a person reads. */
export const shortText = 300;
const longText = 4_000;

/** The text cut to a length, without passwords in addresses, and without half characters, which a collector refuses. */
export function boundedText(text: string, length = shortText): string {
  const safe = withoutPasswords(text.slice(0, length)).replace(/\p{Surrogate}/gu, '\uFFFD');
  return text.length > length ? `${safe}…` : safe;
}

type Plain = string | number | boolean | readonly string[] | null | undefined;

/** Null and missing values are left out. */
export function attributesOf(plain: Readonly<Record<string, Plain>>): Attribute[] {
  return Object.entries(plain).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: NonNullable<Plain>): Value {
  if (typeof value === 'string') return { stringValue: boundedText(value, longText) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.slice(0, 50).map((one) => anyValue(one)) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export const nanosOf = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`;

export const eventOf = (atMs: number, name: string, plain: Readonly<Record<string, Plain>>): SpanEvent => ({
  timeUnixNano: nanosOf(atMs),
  name,
  attributes: attributesOf(plain),
});

type Thrown = { type?: string | null | undefined; message: string; stack?: string | null | undefined };

/** An error as in the semantic conventions. */
export const exceptionOf = (atMs: number, { type, message, stack }: Thrown): SpanEvent =>
  eventOf(atMs, 'exception', {
    'exception.type': type ?? 'Error',
    'exception.message': message,
    'exception.stacktrace': stack,
  });

export const ok = { code: statusOk };
export const unset = { code: 0 };
export const failed = (message: string | null): Span['status'] => ({
  code: statusError,
  ...(message !== null && { message: boundedText(message) }),
});

type SpanFacts = Pick<Span, 'traceId' | 'spanId' | 'status'> & {
  parentSpanId: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, Plain>>;
  events?: readonly SpanEvent[];
  links?: readonly SpanLink[];
};

/** A span never ends before it began. */
export function spanOf(facts: SpanFacts): Span {
  const { traceId, spanId, parentSpanId, status, name, startMs, endMs, attributes, events = [], links = [] } = facts;
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: boundedText(name === '' ? 'unnamed' : name),
    kind: internalSpan,
    startTimeUnixNano: nanosOf(startMs),
    endTimeUnixNano: nanosOf(Math.max(startMs, endMs)),
    attributes: attributesOf(attributes),
    ...(events.length > 0 && { events }),
    ...(links.length > 0 && { links }),
    status,
  };
}

export type Resource = { attributes: readonly Attribute[] };
export type Scope = { name: string; version: string };

/** The body of a request, from spans that are already serialised. */
export const tracesText = (resource: Resource, scope: Scope, spans: readonly string[]): string =>
  `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(',')}]}]}]}`;
