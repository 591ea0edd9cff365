#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tooOld } from './node-version.ts';
import './quiet-sqlite.ts';

const complaint = tooOld(process.versions.node);
if (complaint === undefined) {
  // Half of a start is compiling. Not in Node's own folder for it, which anyone on the machine could have made before.
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox'));
  // Not a static import: Node would load SQLite, and warn of it, before a line of ours has run.
  await import('./main.ts');
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}
