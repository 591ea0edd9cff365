import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { platform } from '../../../platform/platform.ts';

/** Watches on the folders of a tree. Never on files, so that a large tree costs one watch for each folder. */
export type FolderTreeWatches = {
  /** True while every requested folder is watched. */
  isComplete(): boolean;
  has(folder: string): boolean;
  /** Folders by their path below the root, '' for the root. Returns false if one of them could not be watched. */
  add(folders: Iterable<string>): void;
  close(): void;
};

/** About 1.2 KB each. Leaves some of the system's watches to other programs of the user. */
const mostWatches = 49_152;
let watches = 0;
let limit: number | null = null;

function watchLimit(): number {
  limit ??= Math.min(mostWatches, systemLimit() / 2);
  return limit;
}

function systemLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) || 8_192;
  } catch {
    return 8_192;
  }
}

/** These systems watch a whole tree with one handle. On other systems Node would open one for each file. */
const watchesBelow = platform.name === 'macOS' || platform.name === 'Windows';

/** `onChange` gets paths below the root, with forward slashes. */
export function createFolderTreeWatches(root: string, onChange: (path: string) => void): FolderTreeWatches {
  const watchers = new Map<string, FSWatcher>();
  let isComplete = true;

  const stop = (folder: string) => {
    const watcher = watchers.get(folder);
    if (!watcher) return;
    watcher.close();
    watchers.delete(folder);
    watches -= 1;
  };

  /** A folder that was removed, recreated or moved is a different folder: its watch and those below would report nothing, or the wrong changes. */
  const forget = (folder: string) => {
    if (!watchers.has(folder)) return;
    for (const one of [...watchers.keys()]) if (one === folder || one.startsWith(`${folder}/`)) stop(one);
  };

  const start = (folder: string) => {
    if (watchers.has(folder)) return;
    if (watches >= watchLimit()) {
      isComplete = false;
      return;
    }
    try {
      const watcher = watch(join(root, folder), { persistent: false, recursive: watchesBelow });
      watches += 1;
      watchers.set(folder, watcher);
      watcher.on('change', (event, name) => {
        const below = name === null ? '' : String(name).split(sep).join('/');
        const path = [folder, below].filter((part) => part !== '').join('/');
        if (event === 'rename' && below !== '') forget(path);
        onChange(path);
      });
      watcher.on('error', () => stop(folder));
    } catch (error) {
      // A folder that is already gone needs no watch.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) isComplete = false;
    }
  };

  return {
    isComplete: () => isComplete,
    has: (folder) => watchers.has(folder),
    add(folders) {
      if (watchesBelow) start('');
      else for (const folder of folders) start(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) stop(folder);
    },
  };
}

const maxNewFolders = 1_000;

/** A new folder and all folders below it, without ignored ones and other working trees. */
export async function foldersBelow(
  root: string,
  folder: string,
  isIgnored: (path: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  const next = [folder];
  for (let path = next.pop(); path !== undefined && found.length < maxNewFolders; path = next.pop()) {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => null);
    if (!entries || entries.some(({ name }) => name === '.git')) continue;
    found.push(path);
    for (const entry of entries) {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory() && !isIgnored(below)) next.push(below);
    }
  }
  return found;
}
