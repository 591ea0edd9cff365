import { realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { checkoutFolder, ownModule } from '../files/package-folder.ts';

const ownCli = ownModule('cli/bin');

/**
 * The command that starts this installation's CLI, to copy and paste into any folder: `signalbox` if that resolves to this
 * installation, in a checkout its script, otherwise its path. Never a name that a package manager would look up elsewhere.
 */
export function cliCommand(path = process.env.PATH ?? ''): string {
  const own = realPathOf(ownCli);
  const isOnPath = path
    .split(delimiter)
    .some((folder) => folder !== '' && realPathOf(join(folder, 'signalbox')) === own);
  if (isOnPath) return 'signalbox';
  if (checkoutFolder !== null) return `npm --prefix ${quote(checkoutFolder)} run -s signalbox --`;
  return `${quote(process.execPath)} ${quote(own ?? ownCli)}`;
}

let here: string | undefined;

/** A command of this installation's CLI, to copy and paste. */
export function typed(words: string): string {
  here ??= cliCommand();
  return `${here} ${words}`;
}

const quote = (text: string): string => (/^[\w@%+=:,.\\/-]+$/.test(text) ? text : `"${text}"`);

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
