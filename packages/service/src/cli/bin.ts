#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tooOld } from './node-version.ts';
import './quiet-sqlite.ts';

const complaint = tooOld(process.versions.node);
if (complaint === undefined) {
  // Half of what a short command takes is compiling. Kept with the user's own caches: what others may write is not run.
  if (!process.env.NODE_COMPILE_CACHE) enableCompileCache(join(homedir(), '.cache', 'signalbox'));
  // Not a static import: Node would load SQLite, and warn of it, before a line of ours has run.
  await import('./main.ts');
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}
