import { withoutLogin } from '../kernel/address.ts';
import type { OtelSettings, OtlpTarget } from '../telemetry/ports.ts';
import { BadConfig } from './bad-config.ts';

type Env = Readonly<Record<string, string | undefined>>;

const defaultTimeoutMs = 10_000;
const defaultIntervalMs = 60_000;
const protocol = 'http/json';

/** Reads the standard OpenTelemetry variables. Null: nothing is sent. */
export function readOtel(env: Env): OtelSettings | null {
  const word = (name: string) => env[name]?.trim() || undefined;
  if (word('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const target = (signal: 'traces' | 'metrics') => targetOf(word, signal);
  const [traces, metrics] = [target('traces'), target('metrics')];
  if (traces === null && metrics === null) return null;
  const name = word('OTEL_SERVICE_NAME');
  return {
    traces,
    metrics,
    metricsEveryMs: wholeOf(word, 'OTEL_METRIC_EXPORT_INTERVAL', defaultIntervalMs),
    attributes: {
      ...pairsOf('OTEL_RESOURCE_ATTRIBUTES', word('OTEL_RESOURCE_ATTRIBUTES')),
      ...(name !== undefined && { 'service.name': name }),
    },
  };
}

type Word = (name: string) => string | undefined;

/** A variable for one signal takes precedence over one for all. */
function targetOf(word: Word, signal: 'traces' | 'metrics'): OtlpTarget | null {
  const variable = (what: string) => `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${what}`;
  const either = (what: string) => {
    const name = word(variable(what)) === undefined ? `OTEL_EXPORTER_OTLP_${what}` : variable(what);
    return { name, value: word(name) };
  };
  const { name, value } = either('ENDPOINT');
  if (value === undefined || word(`OTEL_${signal.toUpperCase()}_EXPORTER`)?.toLowerCase() === 'none') return null;
  const spoken = either('PROTOCOL');
  if (spoken.value !== undefined && spoken.value !== protocol)
    throw new BadConfig(
      `${spoken.name}=${spoken.value} is not supported. Signalbox sends OTLP as ${protocol}: set it to ${protocol} (port 4318 of a collector), or OTEL_SDK_DISABLED=true to send nothing.`,
    );
  const base = addressOf(name, value);
  // An address for one signal is used as it is; the paths of the signals are appended to an address for all.
  const url = name === variable('ENDPOINT') ? base : `${base.replace(/\/$/, '')}/v1/${signal}`;
  const headers = either('HEADERS');
  return {
    url,
    headers: checkedHeaders(headers.name, pairsOf(headers.name, headers.value)),
    timeoutMs: wholeOf(word, either('TIMEOUT').name, defaultTimeoutMs),
  };
}

function addressOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new BadConfig(
      `${name}=${withoutLogin(text)} is not an http or https address, such as http://localhost:4318.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new BadConfig(`${name} contains a login. Use OTEL_EXPORTER_OTLP_HEADERS=authorization=... instead.`);
  return url.href;
}

/** `key=value,key2=value2`, values percent encoded. Values are not repeated: they may be secrets. */
function pairsOf(name: string, text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  return Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair, at) => {
        const [key = '', ...value] = pair.split('=');
        const decoded = decode(value.join('=').trim());
        if (key.trim() === '' || value.length === 0 || decoded === null)
          throw new BadConfig(`${name}: entry ${at + 1} is not key=value with a percent encoded value.`);
        return [key.trim(), decoded];
      }),
  );
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function checkedHeaders(name: string, headers: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new BadConfig(`${name} has a name or a value that is not valid in a header.`);
  }
}

function wholeOf(word: Word, name: string, otherwise: number): number {
  const text = word(name);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3_600_000)
    throw new BadConfig(`${name}=${text} is not a number of milliseconds from 1 to 3600000.`);
  return value;
}
