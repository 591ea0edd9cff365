#!/usr/bin/env node
// The only static import: an older Node fails on an import that it does not know before it runs a line.
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
  // Must come first, because Node prints its SQLite warning on load.
  await import('./quiet-sqlite.ts');
  const [{ enableCompileCache }, { homedir }, { join }] = await Promise.all([
    import('node:module'),
    import('node:os'),
    import('node:path'),
  ]);
  // Compiling is half of the start-up time. Node's default cache folder is not used: anyone on the machine could have created it.
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox'));
  await import('./main.ts');
}
