import { win32 } from 'node:path';
import { trimEndOf } from '../kernel/text.ts';
import type { CommandLine } from './command-line.ts';

/** `verbatim`: the arguments are already quoted for cmd.exe and must not be quoted again. */
export type Startable = CommandLine & { verbatim: boolean };

type Surroundings = { env: Readonly<Record<string, string | undefined>>; isFile: (path: string) => boolean };

const usualEndings = '.COM;.EXE;.BAT;.CMD';
const withDoubledEnd = (text: string): string => text + '\\'.repeat(text.length - trimEndOf(text, '\\').length);
/** Quoting for the command line of a C program: a quote is escaped, and so are the backslashes before it. */
const quoted = (word: string): string => `"${word.split('"').map(withDoubledEnd).join('\\"')}"`;
/** Characters with a meaning for cmd.exe, inside or outside quotes. */
const escaped = (text: string): string => text.replace(/[()%!^"<>&|]/g, '^$&');

/**
 * How to start a command on Windows. Programs of npm are batch files, which only cmd.exe runs: it parses the line once,
 * and the batch file parses its arguments again.
 */
export function windowsCommand([program = '', ...args]: readonly string[], surroundings: Surroundings): Startable {
  const found = find(program, surroundings);
  if (found === undefined || !/\.(bat|cmd)$/i.test(found)) return { program: found ?? program, args, verbatim: false };
  const words = [escaped(quoted(found)), ...args.map((word) => escaped(escaped(quoted(word))))];
  const shell = surroundings.env.ComSpec ?? 'cmd.exe';
  return { program: shell, args: ['/d', '/s', '/c', `"${words.join(' ')}"`], verbatim: true };
}

/** Searches for a program as Windows does: by its known extensions, in the folders of the PATH, but never in the working folder. */
function find(program: string, { env, isFile }: Surroundings): string | undefined {
  const endings = (env.PATHEXT ?? usualEndings).split(';').filter(Boolean);
  const hasEnding = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  const names = hasEnding ? [program] : endings.map((ending) => program + ending.toLowerCase());
  const folders = (env.PATH ?? env.Path ?? '').split(win32.delimiter).filter(Boolean);
  const paths = /[\\/]/.test(program)
    ? names
    : folders.flatMap((folder) => names.map((name) => win32.join(folder, name)));
  return paths.find(isFile);
}
