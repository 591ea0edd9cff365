import { realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { readPlainFile } from '../files/plain-file.ts';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { BadConfig } from './bad-config.ts';
import { type ConfigFile, flatten } from './config-sources.ts';
import { settingKeys, settingOf } from './settings.ts';

const name = 'signalbox.json';

/**
 * The user's own file, then the one in the working directory, which may come from somebody else's repository and may set only what the settings
 * table allows there.
 */
export function readConfigFiles(cwd: string, home: string): ConfigFile[] {
  const own = join(home, '.signalbox');
  const files: ConfigFile[] = [{ from: `~/.signalbox/${name}`, content: readFile(own, `~/.signalbox/${name}`, true) }];
  if (resolve(cwd) === resolve(own)) return files;
  const here = { from: name, content: readFile(cwd, name, false) };
  refuseUserSettings(here, cwd);
  return [...files, here];
}

const byLower = new Map(settingKeys.map((key) => [`service:${key.toLowerCase()}`, key]));
const harmless = settingKeys.filter((key) => settingOf(key).workingDirectory);

function refuseUserSettings({ content }: ConfigFile, folder: string): void {
  for (const [path, value] of flatten(content)) {
    const key = byLower.get(path.toLowerCase());
    if (key === undefined) {
      const allowed = harmless.map((one) => `Service:${one}`).join(', ');
      const shown = path.slice(0, 100).replace(/[^ -~]/g, '?');
      throw new BadConfig(
        `${shown} is not allowed in the ${name} of the working directory, because that file may come from a ` +
          `repository (allowed: ${allowed}). Move the setting to ~/.signalbox/${name}, or remove it.`,
      );
    }
    if (!harmless.includes(key))
      throw new BadConfig(
        `Service:${key} is ignored in the ${name} of the working directory, because that file may come from a repository. ` +
          `Move the setting to ~/.signalbox/${name}, to the environment (Service__${key}), or to the command line (--Service:${key}=…).`,
      );
    if (key === 'PlansPath' && value.trim() !== '' && !isInside(folder, resolve(folder, value.trim())))
      throw new BadConfig(
        `Service:PlansPath in the ${name} of the working directory points outside it, and that file may come from a repository. ` +
          `Set it in ~/.signalbox/${name}, in the environment (Service__PlansPath), or on the command line.`,
      );
  }
}

/** With links resolved, as far as the path exists. */
function isInside(folder: string, path: string): boolean {
  const under = (top: string, one: string) => one === top || one.startsWith(top.endsWith(sep) ? top : top + sep);
  if (!under(resolve(folder), path)) return false;
  const real = realPathOf(path);
  return real === null || under(realPathOf(folder) ?? folder, real);
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const mostBytes = 64 * 1024;

function readFile(folder: string, shown: string, follow: boolean): unknown {
  let text: string;
  try {
    text = readPlainFile(join(folder, name), mostBytes, { follow }).toString('utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    const why = code === 'ELOOP' ? 'it is a link' : code;
    throw new BadConfig(`${shown} cannot be read (${why}). Give this user read permission, or move the file away.`);
  }
  try {
    // Some editors put a byte order mark first.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser quotes the offending text, which may be a token.
    const why = errorMessage(error).split(/, ?(?:\.\.\.)?"/, 1)[0];
    throw new BadConfig(`${shown} is not JSON: ${why}.`);
  }
}
