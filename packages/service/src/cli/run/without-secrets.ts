export type PublishedCommand = {
  /** The command as the console may show it. */
  words: string[];
  /** What was left out, by name. */
  leftOut: string[];
};

const secretName = /token|passw|pwd|secret|api-?_?key|credential|authorization/i;
const flag = /^(--?[A-Za-z][\w.-]*)(=(.*))?$/s;
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;
const header = /^((?:proxy-)?authorization|cookie|x-[\w-]*(?:token|key)[\w-]*)\s*:/i;

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
    const headerName = header.exec(word)?.[1];
    if (headerName !== undefined) return `${headerName}: ${hide(`the header ${headerName}`)}`;
    return withoutPasswords(word, () => hide('the password in an address'));
  });
  return { words, leftOut };
}

/** `scheme://user:password@host`, wherever it stands in a word. */
const withoutPasswords = (word: string, hide: () => string): string =>
  word.replace(
    /([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/:@]{0,200}):([^\s/@]{1,500})@/gi,
    (_, scheme: string, user: string) => {
      return `${scheme}${user}:${hide()}@`;
    },
  );
