import { realpathSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';

const ownCli = join(import.meta.dirname, `../cli/bin${extname(import.meta.filename)}`);

/**
 * What starts the command line of this installation, to be shown and pasted: `signalbox` where that is this one, else the
 * program by its path. Never a name that a package manager would look up elsewhere.
 */
export function cliCommand(path = process.env.PATH ?? ''): string {
  const own = realPathOf(ownCli);
  const isOnPath = path
    .split(delimiter)
    .some((folder) => folder !== '' && realPathOf(join(folder, 'signalbox')) === own);
  return isOnPath ? 'signalbox' : `${quote(process.execPath)} ${quote(own ?? ownCli)}`;
}

const quote = (text: string): string => (/^[\w@%+=:,.\\/-]+$/.test(text) ? text : `"${text}"`);

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
