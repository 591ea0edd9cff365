// The definitions of the protocol as OpenTelemetry publishes them, compiled by its own package.
import root from '@opentelemetry/otlp-proto-exporter-base/build/src/generated/root.js';

type Definition = {
  fromObject(value: unknown): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): unknown;
};
type Collector = { v1: Record<string, Definition> };
type Published = { opentelemetry: { proto: { collector: { trace: Collector; metrics: Collector } } } };
const { trace, metrics } = (root as unknown as Published).opentelemetry.proto.collector;
const definitions = {
  traces: trace.v1.ExportTraceServiceRequest,
  metrics: metrics.v1.ExportMetricsServiceRequest,
};

const ids: Readonly<Record<string, RegExp>> = {
  traceId: /^(?!0{32})[0-9a-f]{32}$/,
  spanId: /^(?!0{16})[0-9a-f]{16}$/,
  parentSpanId: /^(?!0{16})[0-9a-f]{16}$/,
};
const enums: Readonly<Record<string, number>> = { kind: 5, code: 2, aggregationTemporality: 2 };

/**
 * What is wrong with a body; empty if it is valid OTLP JSON. It is encoded in the protocol's binary form and decoded
 * again: unknown members are gone then, and members of another type differ.
 */
export function faultsIn(signal: keyof typeof definitions, body: unknown): string[] {
  const definition = definitions[signal];
  if (!definition) return [`${signal}: has no definition`];
  const faults: string[] = [];
  try {
    const message = definition.fromObject(asMessage(body, signal, faults));
    const back = definition.toObject(definition.decode(definition.encode(message).finish()), { longs: String });
    return [...faults, ...differences(withoutEmpty(body), asJson(back), signal)];
  } catch (fault) {
    return [...faults, String(fault)];
  }
}

/** Ids are hexadecimal in this JSON, and bytes in a message. */
function asMessage(value: unknown, path: string, faults: string[]): unknown {
  if (Array.isArray(value)) return value.map((one, at) => asMessage(one, `${path}[${at}]`, faults));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const at = `${path}.${key}`;
      const id = ids[key];
      if (typeof member === 'string' && !member.isWellFormed()) faults.push(`${at}: has half a character`);
      if (key in enums && !(Number.isInteger(member) && member >= 0 && member <= (enums[key] ?? 0)))
        faults.push(`${at}: ${member} is not a number of its list`);
      if (!id) return [key, asMessage(member, at, faults)];
      if (typeof member !== 'string' || !id.test(member)) faults.push(`${at}: ${member} is not an id`);
      return [key, Buffer.from(String(member), 'hex')];
    }),
  );
}

function asJson(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asJson(member)]));
}

/** An empty list is the same as none. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !(Array.isArray(member) && member.length === 0))
      .map(([key, member]) => [key, withoutEmpty(member)]),
  );
}

function* differences(sent: unknown, read: unknown, path: string): Iterable<string> {
  if (typeof sent !== 'object' || sent === null || typeof read !== 'object' || read === null) {
    if (!Object.is(sent, read)) yield `${path}: ${JSON.stringify(sent)} is read as ${JSON.stringify(read)}`;
    return;
  }
  for (const key of new Set([...Object.keys(sent), ...Object.keys(read)]))
    yield* differences(Reflect.get(sent, key), Reflect.get(read, key), `${path}.${key}`);
}
