import { relative, resolve } from 'node:path';

/** A word as a POSIX shell takes it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** A name as the pattern that fits it and nothing else. */
export const pattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

type Placed = { publisher: { root: string; folder: string } };

/** A file of the repository as it is named where the run was started. */
export const fileFrom = ({ publisher: { root, folder } }: Placed, file: string | null): string =>
  relative(folder, resolve(root, file ?? '')).replaceAll('\\', '/');
