#!/usr/bin/env node
// The only static import: an older Node stops at an import that it does not know, before it has read a line.
import { tooOld } from './node-version.ts';

const complaint = tooOld(process.versions.node);
const [, , word, ...rest] = process.argv;
if (complaint !== undefined) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
} else if (word === 'prompt' && !rest.some((each) => each === '--help' || each === '-h')) {
  const [{ promptLine }, { parseArgs }] = await Promise.all([import('./prompt-line.ts'), import('node:util')]);
  const options = { as: { type: 'string' }, url: { type: 'string' }, wait: { type: 'string' } } as const;
  const line = await promptLine(parseArgs({ args: rest, options, strict: false }).values, process.env, Date.now());
  if (line !== '') process.stdout.write(`${line}\n`);
} else {
  // First, because Node warns of SQLite when it is loaded.
  await import('./quiet-sqlite.ts');
  const [{ enableCompileCache }, { homedir }, { join }] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ]);
  // Half of a start is compiling. Not in Node's own folder for it, which anyone on the machine could have made before.
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox'));
  await import('./main.ts');
}
