import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteCommandLine } from './exercised.ts';

const root = join(import.meta.dirname, '..');
/** Compiling the same sources takes half of a start. */
const compileCache = join(root, 'node_modules', '.cache', 'compiled');

export const cli = join(root, 'packages/service/dist/cli/bin.js');

export type Spawned = AsyncDisposable & {
  child: ChildProcess;
  home: string;
  out: () => string;
  err: () => string;
  /** Resolves once the output matches, with the captured parts. */
  says: (pattern: RegExp) => Promise<RegExpMatchArray>;
  ended: Promise<number | null>;
};

/** The command line as a person starts it, in its own home. */
export function signalbox(
  args: readonly string[],
  env: Record<string, string> = {},
  given?: string,
  program = cli,
): Spawned {
  noteCommandLine(args, env);
  const home = given ?? realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, NODE_COMPILE_CACHE: compileCache, ...env },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(out + err);
        if (match) resolve(match);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      ended.then((code) => reject(new Error(`ended with ${code} before it said ${pattern}: ${out}${err}`)));
      look();
    });
  return {
    child,
    home,
    out: () => out,
    err: () => err,
    says,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      if (given === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Starts the whole service and reads both addresses from its output. */
export async function startedProcess(env: Record<string, string> = {}, args: readonly string[] = [], home?: string) {
  const spawned = signalbox(['start', ...args], { PORT: '0,0', ...env }, home);
  const [, url = '', consoleUrl = ''] = await spawned.says(
    /coordination\s+(\S+)\n\s+run console\s+(\S+)\n[\s\S]*reference/,
  );
  return Object.assign(spawned, { url, consoleUrl });
}
