import { spawn } from 'node:child_process';
import type { CommandLine } from './command-line.ts';
import { isWsl } from './wsl.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Programs that open a URL, to be tried in order; or why none is tried. */
export type Openers = { programs: readonly CommandLine[] } | { none: string };

export type Opened = { opened: true } | { opened: false; reason: string };

/** A program that still runs after this time has opened the page: some browsers stay in the foreground. */
const settledMs = 2_000;

/** BROWSER, by its usual convention: programs separated by colons, `%s` for the URL; `none` for no browser. */
function namedOpeners(url: string, { BROWSER }: Env): Openers | null {
  const named = BROWSER?.trim();
  if (!named) return null;
  if (named.toLowerCase() === 'none') return { none: 'BROWSER=none is set' };
  const programs = named.split(':').flatMap((line) => {
    const words = line.split(' ').filter(Boolean);
    const [program, ...args] = words.map((word) => word.replaceAll('%s', url));
    if (program === undefined) return [];
    return [{ program, args: line.includes('%s') ? args : [...args, url] }];
  });
  return programs.length === 0 ? null : { programs };
}

/** Without a display or Windows, only a text browser in this terminal could open the page. */
export function linuxOpeners(url: string, env: Env): Openers {
  const named = namedOpeners(url, env);
  if (named !== null) return named;
  const windows = isWsl(env) ? [{ program: 'wslview', args: [url] }, windowsOpener(url, 'rundll32.exe')] : [];
  const desktop = env.DISPLAY || env.WAYLAND_DISPLAY ? [{ program: 'xdg-open', args: [url] }] : [];
  const programs = [...windows, ...desktop];
  return programs.length === 0 ? { none: 'no display is available' } : { programs };
}

export const macOpeners = (url: string, env: Env): Openers =>
  namedOpeners(url, env) ?? { programs: [{ program: 'open', args: [url] }] };

/** BROWSER is not used on Windows, because paths there contain colons. */
export const windowsOpeners = (url: string): Openers => ({ programs: [windowsOpener(url, 'rundll32')] });

/** `start` belongs to cmd.exe, which would treat `&` in a URL as the end of a command. */
const windowsOpener = (url: string, program: string): CommandLine => ({
  program,
  args: ['url.dll,FileProtocolHandler', url],
});

/** Opens a page in the user's browser. Never throws; the caller prints the address if it fails. */
export async function openWith(openersOf: (url: string, env: Env) => Openers, address: string): Promise<Opened> {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { opened: false, reason: `${address} is not an http address` };
  const openers = openersOf(url.href, process.env);
  if ('none' in openers) return { opened: false, reason: openers.none };
  for (const one of openers.programs) if (await startedWell(one)) return { opened: true };
  const tried = openers.programs.map(({ program }) => program).join(' or ');
  return { opened: false, reason: `it could not be opened with ${tried}` };
}

/** The program continues after this process ends, and blocks neither it nor its terminal. */
function startedWell({ program, args }: CommandLine): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true });
    const end = (well: boolean) => {
      clearTimeout(settled);
      child.unref();
      resolve(well);
    };
    const settled = setTimeout(end, settledMs, true);
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}
