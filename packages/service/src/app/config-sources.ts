import { nearest } from '../kernel/text.ts';
import { type SettingKey, settingKeys } from './settings.ts';

export type RawConfig = Partial<Record<SettingKey, string>>;
/** The content of a file, and its name for error messages. */
export type ConfigFile = { from: string; content: unknown };
/** `sources` names where each value came from. */
export type GatheredConfig = { values: RawConfig; sources: Map<SettingKey, string>; warnings: string[] };

const byLower = new Map(settingKeys.map((key) => [key.toLowerCase(), key]));

/** Keys are `Service:PlansPath`, in any case; later sources win. Unknown keys cause a warning, never an error. */
export function gather(
  files: readonly ConfigFile[],
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): GatheredConfig {
  const warnings: string[] = [];
  const values: RawConfig = {};
  const sources = new Map<SettingKey, string>();
  const set = (name: string, value: string, from: string) => {
    const key = byLower.get(name.toLowerCase());
    if (!key) warnings.push(unknown(name, from));
    // An empty token would admit everyone, an empty path would mean the working directory.
    else if (value.trim() === '') warnings.push(`Service:${key} (${from}) is empty and is ignored.`);
    // A secret read from a file often ends with a line break, which is not allowed in a header.
    else {
      values[key] = value.trim();
      sources.set(key, from);
    }
  };
  for (const { from, content } of files) {
    for (const [path, value] of flatten(content)) {
      if (path.toLowerCase().startsWith('service:')) set(path.slice(8), value, from);
    }
  }
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== '' && /^service__/i.test(name)) set(name.slice(9), value, 'the environment');
  }
  for (const [name, value] of options(args)) set(name, value, 'the command line');
  return { values, sources, warnings };
}

function unknown(name: string, from: string): string {
  const likely = nearest(name, settingKeys);
  return `Service:${name} (${from}) is not a known key and is ignored${likely ? `; did you mean Service:${likely}?` : '.'}`;
}

/** `--Service:Key=value` and `--Service:Key value`. */
function* options(args: readonly string[]): Iterable<[string, string]> {
  for (let at = 0; at < args.length; at += 1) {
    const match = /^--service:([^=]+)(?:=(.*))?$/is.exec(args[at] ?? '');
    if (!match?.[1]) continue;
    const next = args[at + 1];
    const isApart = match[2] === undefined && next !== undefined && !next.startsWith('--');
    if (isApart) at += 1;
    yield [match[1], isApart ? next : (match[2] ?? '')];
  }
}

/** A list of objects stays JSON. Nested objects and `"Service:PlansPath"` keys are equivalent; a list becomes a comma-separated text. */
export function* flatten(value: unknown, path = ''): Iterable<[string, string]> {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null))
    yield [path, JSON.stringify(value)];
  else if (Array.isArray(value)) yield [path, value.join(',')];
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, path === '' ? key : `${path}:${key}`);
  } else if (value !== null && value !== undefined) yield [path, String(value)];
}
