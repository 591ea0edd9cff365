import { withoutPasswords } from '../../kernel/address.ts';

export type PublishedCommand = {
  /** The command without secrets, for the console. */
  words: string[];
  /** The names of the removed parts. */
  leftOut: string[];
};

const hidden = '***';

/** Parts of a name that mark its value as a secret, as in `--db-pass`, `PRIVATE_KEY` and `apiKey`. */
const secretParts = new Set(
  'token tokens pass passwd password passphrase passin passout pwd pw secret secrets key keys apikey credential credentials cred creds auth authorization cookie cookies sig signature private bearer jwt sas dsn pat'.split(
    ' ',
  ),
);
const secretAnywhere = /token|passw|passphrase|secret|apikey|credential/i;

function isSecretName(name: string): boolean {
  const parts = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[^A-Za-z0-9]+/);
  return secretAnywhere.test(name) || parts.some((part) => secretParts.has(part.toLowerCase()));
}

/** Tokens that are recognisable by their form. */
const isKnownToken = (part: string): boolean =>
  /^(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|npm_)[\w-]{16}/.test(part) ||
  /^AKIA[0-9A-Z]{16}/.test(part) ||
  (part.startsWith('eyJ') && part.length > 30 && part.split('.').length === 3);

const flag = /^(--?[A-Za-z][\w.-]*)(=(.*))?$/s;
const assignment = /^([A-Za-z_][\w.]*)=(.*)$/s;
/** Followed by `user:password`. */
const userFlags = new Set(['-u', '-U', '--user', '--proxy-user', '--basic', '--login', '--userpwd']);
/** Short flags that take a password in some programs and mean something else in others. */
const passwordFlags: Record<string, readonly string[]> = {
  mysql: ['-p'],
  mysqldump: ['-p'],
  mysqladmin: ['-p'],
  mariadb: ['-p'],
  sshpass: ['-p'],
  '7z': ['-p'],
  zip: ['-P'],
  unzip: ['-P'],
  'redis-cli': ['-a'],
  mongosh: ['-p'],
  docker: ['-p'],
  podman: ['-p'],
};

/** Removes values that are secret by name, position or form from a command line, because it is published and archived. */
export function withoutSecrets(command: readonly string[]): PublishedCommand {
  const leftOut: string[] = [];
  const words = hideIn(command, (name) => {
    leftOut.push(name);
    return hidden;
  });
  return { words, leftOut };
}

type Hide = (name: string) => string;

/** `isScript`: shell words, which may contain quoted spaces. */
function hideIn(command: readonly string[], hide: Hide, isScript = false): string[] {
  let waiting: { name: string; isUser: boolean } | null = null;
  let short: readonly string[] = [];
  return command.map((word) => {
    const before = waiting;
    waiting = null;
    if (before && !word.startsWith('-'))
      return before.isUser ? withoutPassword(word, hide) : hide(`the value of ${before.name}`);
    short = passwordFlags[word.split('/').at(-1) ?? ''] ?? short;
    const glued = short.find((one) => word.startsWith(one) && word.length > one.length && !/^.{2}[\d.:/]+$/.test(word));
    if (glued) return `${glued}${hide(`the value of ${glued}`)}`;
    const [, name = '', , value] = flag.exec(word) ?? [];
    if (name !== '' && (isSecretName(name) || short.includes(name))) {
      if (value !== undefined) return `${name}=${hide(`the value of ${name}`)}`;
      waiting = { name, isUser: false };
      return word;
    }
    if (userFlags.has(name)) {
      if (value !== undefined) return `${name}=${withoutPassword(value, hide)}`;
      waiting = { name, isUser: true };
      return word;
    }
    return hideInText(word, hide, isScript);
  });
}

/** `user:password`; a single word is only a user name and stays. */
function withoutPassword(word: string, hide: Hide): string {
  const colon = word.indexOf(':');
  return colon < 0 ? word : `${word.slice(0, colon)}:${hide('the password of a user')}`;
}

function hideInText(word: string, hide: Hide, isScript: boolean): string {
  const [, variable = ''] = isScript || !/\s/.test(word) ? (assignment.exec(word) ?? []) : [];
  if (variable !== '' && isSecretName(variable)) return `${variable}=${hide(`the value of ${variable}`)}`;
  const header = secretHeaderIn(word);
  if (header !== null) return `${header}: ${hide(`the header ${header}`)}`;
  if (!isScript && /\s/.test(word)) return hideInScript(word, hide);
  const text = withoutPasswords(word, () => hide('the password in an address'));
  return withoutSecretQueries(text, hide).replace(/[\w.-]+/g, (part) => (isKnownToken(part) ? hide('a token') : part));
}

/** The text of `sh -c`, word by word; the spaces between them are kept. */
function hideInScript(script: string, hide: Hide): string {
  const shellWord = /(?:[^\s"';|&()]|"[^"]*"|'[^']*')+/g;
  const words = script.match(shellWord) ?? [];
  const bare = words.map(unquoted);
  const safe = hideIn(bare, hide, true);
  let at = 0;
  return script.replace(shellWord, (word) => {
    const index = at++;
    return safe[index] === bare[index] ? word : (safe[index] ?? hidden);
  });
}

/** `"a b"` and `NAME="a b"` without their quotes. */
function unquoted(word: string): string {
  const equals = /^[A-Za-z_-][\w.-]*=/.exec(word)?.[0] ?? '';
  const value = word.slice(equals.length);
  const quote = value[0];
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? equals + value.slice(1, -1) : word;
}

/** The name of a header whose value is a secret: `Authorization: …`, `PRIVATE-TOKEN: …`. */
function secretHeaderIn(word: string): string | null {
  const colon = word.indexOf(':');
  const name = word.slice(0, Math.max(colon, 0)).trim();
  if (colon < 0 || !/^[A-Za-z][\w-]*$/.test(name) || word.startsWith('//', colon + 1)) return null;
  return isSecretName(name) ? name : null;
}

/** `?access_token=…`. */
const withoutSecretQueries = (word: string, hide: Hide): string =>
  word.replace(/([?&;#])([\w.-]{1,100})=([^&;#\s]*)/g, (whole, sign: string, name: string) =>
    isSecretName(name) ? `${sign}${name}=${hide(`the value of ${name}`)}` : whole,
  );
