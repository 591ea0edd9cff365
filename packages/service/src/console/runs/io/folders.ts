import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** Null for what is not there; any other trouble is trouble. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A new name in a folder lasts only once the folder itself is flushed. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Whoever asks while one is under way shares the next one. */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = (): Promise<void> => {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}

export async function mustBeFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Error('archives must lie in plain folders, not behind links');
}
