import { relative, resolve } from 'node:path';

/** A word quoted for a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A pattern that matches exactly this name. */
export const pattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

type Placed = { publisher: { root: string; folder: string } };

/** A file of the repository, relative to the folder where the run was started. */
export const fileFrom = ({ publisher: { root, folder } }: Placed, file: string | null): string =>
  relative(folder, resolve(root, file ?? '')).replaceAll('\\', '/');
