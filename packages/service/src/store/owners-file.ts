import { closeSync, openSync } from 'node:fs';

/**
 * SQLite makes a database for everybody to read, and whatever it keeps beside one as that one is. So the file is made
 * before, empty and for its owner alone; what is there stays as it is, and what cannot be made SQLite tells of.
 */
export function makeOwnersFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there, or SQLite will say why it cannot be.
  }
}
