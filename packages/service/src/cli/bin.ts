#!/usr/bin/env node
import { tooOld } from './node-version.ts';
import './quiet-sqlite.ts';

const complaint = tooOld(process.versions.node);
if (complaint === undefined) {
  // Not a static import: Node would load SQLite, and warn of it, before a line of ours has run.
  await import('./main.ts');
} else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}
