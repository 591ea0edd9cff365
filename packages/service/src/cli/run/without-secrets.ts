export type PublishedCommand = {
  /** The command as the console may show it. */
  words: string[];
  /** What was left out, by name. */
  leftOut: string[];
};

const secretName = /token|passw|pwd|secret|api-?_?key|credential|authorization/i;
const flag = /^(--?[A-Za-z][\w.-]*)(=(.*))?$/s;
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;
const secretHeader = /^(?:(?:proxy-)?authorization|cookie)$/i;

/** A command line without the values that are secret by their name or place: it is published, and archived. */
export function withoutSecrets(command: readonly string[]): PublishedCommand {
  const leftOut: string[] = [];
  const hide = (name: string): string => {
    leftOut.push(name);
    return '…';
  };
  let hideNext: string | null = null;
  const words = command.map((word) => {
    const waiting = hideNext;
    hideNext = null;
    if (waiting !== null && !word.startsWith('-')) return hide(`the value of ${waiting}`);
    const [, name = '', value] = flag.exec(word) ?? [];
    if (name !== '' && secretName.test(name)) {
      if (value !== undefined) return `${name}=${hide(`the value of ${name}`)}`;
      hideNext = name;
      return word;
    }
    const [, variable = ''] = assignment.exec(word) ?? [];
    if (variable !== '' && secretName.test(variable)) return `${variable}=${hide(`the value of ${variable}`)}`;
    const headerName = secretHeaderIn(word);
    if (headerName !== null) return `${headerName}: ${hide(`the header ${headerName}`)}`;
    return withoutPasswords(word, () => hide('the password in an address'));
  });
  return { words, leftOut };
}

/** The name of a header whose value is a secret: `Authorization: …`, `X-Api-Key: …`. */
function secretHeaderIn(word: string): string | null {
  const [name = '', value] = word.split(':', 2);
  const text = name.trim();
  if (value === undefined || /\s/.test(text)) return null;
  const isOwnKey = text.toLowerCase().startsWith('x-') && /token|key/i.test(text);
  return secretHeader.test(text) || isOwnKey ? text : null;
}

/** `scheme://user:password@host`, wherever it stands in a word. */
function withoutPasswords(word: string, hide: () => string): string {
  const [first = '', ...rest] = word.split('://');
  const safe = rest.map((part) => {
    const end = part.search(/[\s/?#]/);
    const authority = end < 0 ? part : part.slice(0, end);
    const [colon, at] = [authority.indexOf(':'), authority.lastIndexOf('@')];
    return colon < 0 || at < colon ? part : `${part.slice(0, colon)}:${hide()}${part.slice(at)}`;
  });
  return [first, ...safe].join('://');
}
