import { resolve } from 'node:path';
import { type Scope, scopes } from '../kernel/access.ts';
import { trimEndOf } from '../kernel/text.ts';

/** The folder that relative paths start from, and the one that `~` means. */
export type Places = { cwd: string; home: string };

/** The values a setting accepts; one description serves refusals and the reference. */
export type Kind<Value> = {
  /** Completes "Service:Key must be …". */
  takes: string;
  /** The unit and the meaning of 0; also shown in the reference. */
  note?: string;
  /** Returns `undefined` for an invalid text. */
  read: (text: string, places: Places) => Value | undefined;
  /** A refusal does not repeat its value. */
  secret?: true;
};

export const text: Kind<string> = { takes: 'a text', read: (given) => given };

export const secret = (minLength = 1): Kind<string> => ({
  takes:
    minLength === 1
      ? 'a secret'
      : `a secret of at least ${minLength} characters (make one with: openssl rand -base64 32)`,
  read: (given) => (given.length >= minLength ? given : undefined),
  secret: true,
});

export const pathOf = (given: string, { cwd, home }: Places): string =>
  resolve(cwd, given.replace(/^~(?=$|[\\/])/, home));

const itemsOf = (given: string): string[] =>
  given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const path: Kind<string> = { takes: 'a path', read: pathOf };

export const list: Kind<readonly string[]> = { takes: 'a list, comma separated', read: itemsOf };

/** JSON, or the path of a file with it. */
export const jsonOrPath: Kind<string> = {
  takes: 'a path to a JSON file, or the JSON itself',
  read: (given, places) => (/^[[{]/.test(given) ? given : pathOf(given, places)),
  secret: true,
};

export const pathsOf = (given: string, places: Places): string[] => itemsOf(given).map((item) => pathOf(item, places));

export const paths: Kind<readonly string[]> = { takes: 'a list of paths, comma separated', read: pathsOf };

/** Used exactly as written. */
export const address: Kind<string> = {
  takes: 'an http:// or https:// address',
  read: (given) => (URL.canParse(given) && /^https?:/i.test(given) ? given : undefined),
  // Some addresses contain a login.
  secret: true,
};

/** An address that paths are appended to. */
export const baseAddress: Kind<string> = {
  ...address,
  read: (given, places) => {
    const read = address.read(given, places);
    return read === undefined ? undefined : trimEndOf(read, '/');
  },
};

/** Secrets are sent to it, so http is allowed only on this machine. */
export const issuer: Kind<string> = {
  takes: 'an https:// address (http:// on this machine only)',
  read: (given) => {
    const url = URL.parse(given);
    const isHere = url?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
    return url?.protocol === 'https:' || isHere ? given : undefined;
  },
};

/** Group names may contain commas and equals signs; such a setting is written as JSON. */
export const groupScopes: Kind<ReadonlyMap<string, readonly Scope[]>> = {
  takes: `a list such as eng=work, leads=author+publish, or a JSON object, with the scopes ${scopes.join(', ')}`,
  read: (given) => {
    const pairs = /^\s*\{/.test(given) ? jsonPairs(given) : itemsOf(given).map(pairOf);
    const all = pairs?.map(([group, of]) => [group, scopes.filter((scope) => of.includes(scope)), of] as const);
    const isFine = all?.every(
      ([group, known, of]) => group !== '' && of.length > 0 && known.length === new Set(of).size,
    );
    return all && isFine && all.length > 0 ? new Map(all.map(([group, known]) => [group, known])) : undefined;
  },
};

const wordsIn = (given: string): string[] => given.split('+').map((word) => word.trim());

function pairOf(item: string): [string, string[]] {
  const at = item.lastIndexOf('=');
  return [item.slice(0, Math.max(at, 0)).trim(), wordsIn(item.slice(at + 1))];
}

function jsonPairs(given: string): [string, string[]][] | undefined {
  try {
    const object: Record<string, unknown> = JSON.parse(given);
    return Object.entries(object).map(([group, of]) => [
      group,
      Array.isArray(of) ? of.map(String) : wordsIn(String(of)),
    ]);
  } catch {
    return undefined;
  }
}

/** A lower bound of 0 means that 0 turns the function off; settings that cannot be turned off start at 1. */
export const whole = (from: 0 | 1, to: number, unit: string): Kind<number> => ({
  takes: `a whole number from ${from} to ${to}`,
  note: from === 0 ? `${unit}; 0 is off` : unit,
  read: (given) => {
    const value = Number(given);
    return /^\d+$/.test(given) && value >= from && value <= to ? value : undefined;
  },
});

export const oneOf = <const Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  takes: `${words
    .slice(0, -1)
    .map((word) => `\`${word}\``)
    .join(', ')} or \`${words.at(-1)}\``,
  read: (given) => words.find((word) => word.toLowerCase() === given.toLowerCase()),
});

const flags = new Map([
  ['false', false],
  ['true', true],
]);

export const flag: Kind<boolean> = { takes: '`false` or `true`', read: (given) => flags.get(given.toLowerCase()) };

export const store: Kind<string> = {
  takes:
    '`sqlite` (a file in DataPath) or a `postgres://` address (write / as %2F, ? as %3F, # as %23 and @ as %40 in its password)',
  read: (given) => {
    if (given.toLowerCase() === 'sqlite') return 'sqlite';
    return /^postgres(ql)?:\/\//.test(given) && URL.canParse(given) ? given : undefined;
  },
  secret: true,
};
