import { chmodSync, existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One temporary folder for everything that the tests and their programs create, removed at the end. */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env.SIGNALBOX_TESTS_FOLDER === tmpdir()) return undefined;
  const before = tmpdir();
  const folder = mkdtempSync(join(before, 'signalbox-tests-'));
  // The database server runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.env.SIGNALBOX_TESTS_FOLDER = folder;
  return async () => {
    process.env.TMPDIR = before;
    // A browser that is being stopped with its process still writes and removes files for a moment.
    while (existsSync(folder)) await rm(folder, { recursive: true, force: true, maxRetries: 30 });
  };
}
