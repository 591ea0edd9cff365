import { closeSync, openSync } from 'node:fs';

/**
 * SQLite creates world-readable database files and gives their side files the same mode. So the file is created
 * first, empty and with mode 600. An existing file is left as it is; SQLite reports a file that cannot be created.
 */
export function makeOwnerOnlyFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file already exists, or SQLite will report why it cannot be created.
  }
}
