import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCode } from '../../../kernel/error-code.ts';

/** Watches single folders, never their subfolders. Only a hint: listeners must also find changes without it. */
export type FolderWatches = {
  /** Watches these folders and no others. */
  watchOnly(folders: readonly string[]): void;
  /** Why a folder is not watched, in one line; null if all are. */
  failure(): string | null;
  close(): void;
};

/** Fires once after a burst of events, at most once per interval in milliseconds. */
const minIntervalMs = 50;

export function createFolderWatches(onChange: (paths: ReadonlySet<string>) => void): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  /** Folders that caused a check already: a watch that fails repeatedly must not cause one each time. */
  const hinted = new Set<string>();
  const bursts = createBursts(onChange);
  let failure: string | null = null;

  const stopWatch = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  const startWatch = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false, recursive: false });
      watcher.on('change', (kind, name) => {
        bursts.note(name === null ? folder : join(folder, String(name)));
        // This event means that the folder itself was removed: a new folder in its place needs a new watch.
        if (kind !== 'rename' || name !== basename(folder)) return;
        stopWatch(folder);
        hinted.delete(folder);
      });
      watcher.on('error', () => stopWatch(folder));
      watchers.set(folder, watcher);
      // Changes between the last read and now are missed by this watch.
      if (!hinted.has(folder)) bursts.note(folder);
      hinted.add(folder);
    } catch (error) {
      const code = errorCode(error);
      // A folder that does not exist yet is not a failure: polling finds it, and it is watched from then on.
      if (code !== 'ENOENT') failure = `not watched (${code}), polled instead`;
    }
  };

  return {
    watchOnly(folders) {
      const wanted = new Set(folders);
      failure = null;
      for (const folder of watchers.keys()) if (!wanted.has(folder)) stopWatch(folder);
      for (const folder of hinted) if (!wanted.has(folder)) hinted.delete(folder);
      for (const folder of wanted) if (!watchers.has(folder)) startWatch(folder);
    },
    failure: () => failure,
    close() {
      bursts.close();
      for (const folder of [...watchers.keys()]) stopWatch(folder);
    },
  };
}

/** Gathers paths that change together. */
function createBursts(onChange: (paths: ReadonlySet<string>) => void) {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let firedAt = 0;
  let isClosed = false;
  const fire = () => {
    const burst = paths;
    paths = new Set();
    timer = null;
    if (isClosed) return;
    firedAt = performance.now();
    onChange(burst);
  };
  return {
    note(path: string) {
      paths.add(path);
      if (timer) return;
      const pauseMs = firedAt + minIntervalMs - performance.now();
      timer = (pauseMs > 0 ? setTimeout(fire, pauseMs) : setImmediate(fire)).unref();
    },
    close() {
      isClosed = true;
    },
  };
}
