import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileCache } from './compile-cache.ts';
import { cli } from './spawn.ts';

const root = join(import.meta.dirname, '..');

/** Every page that shows commands to type. */
export const pages: readonly string[] = [
  'README.md',
  ...globSync('docs/{,guides/,concepts/}*.md', { cwd: root }),
].sort();

/** The commands of a reader: one per line, continued lines joined. Plain blocks count if they name one of our programs or curl. */
export function commandsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm)].flatMap(([, language = '', body = '']) => {
    const lines = body
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+# .*$/, '').trim())
      .filter((line) => line !== '');
    if (language === 'sh' || language === 'bash') return lines;
    return language === '' || language === 'text' ? lines.filter((line) => /^(?:signalbox|curl) /.test(line)) : [];
  });
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
export const unversioned = (command: string): string => command.replaceAll(`-${version}.tgz`, '-VERSION.tgz');

/** A command as written on the page, for the test that types it: if the page changes, the test must change too. */
export function commandOf(page: string, command: string): string {
  const found = commandsOf(page).find((each) => unversioned(each) === command);
  if (found === undefined) throw new Error(`${page} does not say ${command}`);
  return found;
}

/** Puts `signalbox`, `npx` and the named programs into `bin` of a folder; each is one line of shell. */
export function addPrograms(folder: string, programs: Record<string, string> = {}): void {
  const own = { signalbox: `exec '${process.execPath}' '${cli}' "$@"`, npx: 'exec "$@"', ...programs };
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const [name, text] of Object.entries(own))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

export type Typed = AsyncDisposable & {
  output(): string;
  /** Resolves once the output matches, with the captured parts. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<number | null>;
  end(signal: NodeJS.Signals): void;
};

/** Types a text at a shell in a folder that is the reader's home and contains the programs. It stops at the first failure. */
export function typeIn(folder: string, text: string, env: Record<string, string> = {}): Typed {
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', text], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      ...compileCache,
      // The console answers from the test process, which may be busy.
      SIGNALBOX_PROBE_MS: '60000',
      ...env,
    },
    detached: true,
  });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const end = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), signal);
  };
  return {
    output: () => output,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output);
          if (found) resolve(found);
        };
        listeners.add(look);
        ended.then((code) => reject(new Error(`ended with ${code} before it said ${pattern}: ${output}`)));
        look();
      }),
    ended,
    end,
    async [Symbol.asyncDispose]() {
      end('SIGKILL');
      await ended;
    },
  };
}
