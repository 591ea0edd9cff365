import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
  const files: ConfigFile[] = [{ from: `~/.signalbox/${name}`, content: readFile(own, `~/.signalbox/${name}`) }];
  if (resolve(cwd) === resolve(own)) return files;
  const here = { from: name, content: readFile(cwd, name) };
  refuseUserSettings(here);
  return [...files, here];
}

function refuseUserSettings({ content }: ConfigFile): void {
  const refused = settingKeys.filter((key) => !settingOf(key).workingDirectory);
  const byLower = new Map(refused.map((key) => [`service:${key.toLowerCase()}`, key]));
  for (const [path] of flatten(content)) {
    const key = byLower.get(path.toLowerCase());
    if (key === undefined) continue;
    throw new BadConfig(
      `Service:${key} is ignored in the ${name} of the working directory, because that file may come from a repository. ` +
        `Move it to ~/.signalbox/${name}, to the environment (Service__${key}), or to the command line (--Service:${key}=…).`,
    );
  }
}

function readFile(folder: string, shown: string): unknown {
  let text: string;
  try {
    text = readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new BadConfig(`${shown} cannot be read (${code}). Give this user read permission, or move the file away.`);
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
