import { type FSWatcher, type Stats, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type OpenGit, openGit } from '../../../files/git.ts';
import { parseGitConfig } from '../../../files/git-config.ts';
import { readFileStart } from '../../../files/safe-file.ts';
import { iso } from '../../../kernel/clock.ts';
import { type ChangedPath, changeOf, type FileDiff, maxPaths, parseStatus, type ReadChanges } from '../changes.ts';
import type { ChangeReader, ChangeReaderOptions } from '../ports.ts';
import { diffsOf, isUnread, limits, ofPaths } from './diff-files.ts';
import { createFolderTreeWatches, type FolderTreeWatches, foldersBelow } from './folder-tree-watches.ts';
import { type GitFolders, gitFoldersOf, gitStamp, readRefs, type TreeRefs } from './tree-refs.ts';

/** With reliable watches a full check is only a precaution; without them it is the only way to find changes. */
const wholeLookMs = { watched: 5 * 60_000, unwatched: 30_000 };
/** A slow full check is not repeated soon: one tree uses at most a tenth of a core. */
const restFactor = 10;
const maxDirty = 200;
const maxIgnored = 10_000;

const statusArgs = [
  'status',
  '--porcelain=v2',
  '-z',
  '--no-renames',
  '--untracked-files=all',
  '--ignore-submodules=dirty',
];
type Options = ChangeReaderOptions & {
  /** False on file systems that do not report changes. */
  isWatchable: boolean;
};

export function createChangeReader(options: Options): ChangeReader {
  const reader = new TreeChangeReader(options);
  return { look: () => reader.look(), close: () => reader.close() };
}

/** Git runs only after a sign of a change, and then only on the changed paths. Nothing is ever written to the tree. */
class TreeChangeReader {
  readonly #options: Options;
  readonly #watches: FolderTreeWatches;
  readonly #gitWatches = new Map<string, FSWatcher>();
  #git: OpenGit | undefined;
  #stamp = '';
  #refs: TreeRefs | null = null;
  #last: ReadChanges | null = null;
  #whole = { startedAt: Number.NEGATIVE_INFINITY, tookMs: 0 };
  #isAllDirty = true;
  #dirty = new Set<string>();
  #ignored = new Set<string>();
  #committed: ReadonlySet<string> = new Set();
  #status = new Map<string, 'tracked' | 'untracked'>();
  #isCut = false;
  #ignoresCase = false;
  /** The difference of each path from the merge base, at a recorded state of the file. */
  #own = new Map<string, { stamp: string; diff: FileDiff | null }>();
  /** The changes of each path on the default branch since the merge base; null if there are none. */
  #upstream = new Map<string, FileDiff | null>();
  #since = new Map<string, Pick<ChangedPath, 'since' | 'behindSince'>>();

  constructor(options: Options) {
    this.#options = options;
    this.#watches = createFolderTreeWatches(options.root, (path) => this.#hear(path));
  }

  async look(): Promise<ReadChanges | null> {
    const folders = await gitFoldersOf(this.#options.root);
    if (!folders) return null;
    const stamp = await this.#stampOf(folders);
    if (stamp !== this.#stamp || this.#isAllDirty || this.#isWholeLookDue()) {
      if (this.#mustRest()) return this.#last;
      this.#stamp = stamp;
      this.#last = await this.#lookAtAll(folders);
    } else if (this.#dirty.size > 0) {
      const paths = [...this.#dirty];
      this.#dirty = new Set();
      this.#last = await this.#lookAt(paths);
    }
    return this.#last;
  }

  async close(): Promise<void> {
    this.#watches.close();
    for (const watcher of this.#gitWatches.values()) watcher.close();
    this.#gitWatches.clear();
    await this.#git?.close();
  }

  async #stampOf(folders: GitFolders): Promise<string> {
    const registered = this.#options.defaultBranch();
    return `${registered}\n${await gitStamp(folders, this.#refs?.defaultBranch ?? registered)}`;
  }

  #isWholeLookDue(): boolean {
    const isWatched = this.#options.isWatchable && this.#watches.isComplete();
    return performance.now() - this.#whole.startedAt > wholeLookMs[isWatched ? 'watched' : 'unwatched'];
  }

  #mustRest(): boolean {
    const { startedAt, tookMs } = this.#whole;
    const restMs = startedAt + tookMs * restFactor - performance.now();
    if (restMs <= 0) return false;
    setTimeout(this.#options.onChange, restMs).unref();
    return true;
  }

  #hear(path: string): void {
    if (path === '') this.#isAllDirty = true;
    else if (path !== '.git' && !path.startsWith('.git/')) {
      if (this.#isIgnored(path)) return;
      if (basename(path) === '.gitignore') this.#isAllDirty = true;
      this.#dirty.add(path);
      if (this.#dirty.size > maxDirty) this.#isAllDirty = true;
    }
    this.#options.onChange();
  }

  #isIgnored(path: string): boolean {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#ignored.has(path.slice(0, end))) return true;
    return false;
  }

  async #lookAtAll(folders: GitFolders): Promise<ReadChanges | null> {
    const startedAt = performance.now();
    const isFirst = this.#last === null;
    this.#isAllDirty = false;
    this.#dirty = new Set();
    this.#ignored = new Set();
    this.#watchGit(folders);
    await this.#git?.close();
    this.#git = await openGit(this.#options.root);
    const git = this.#git;
    const refs = git && (await this.#readRefs(git, folders));
    if (!git || !refs) return this.#fail(startedAt);
    this.#ignoresCase = await ignoresCase(folders);
    await this.#watchFolders(git);
    this.#isCut = false;
    this.#status = new Map();
    const isRead = (await this.#readCommitted(git, refs)) && (await this.#readStatus(git, []));
    if (!isRead) return this.#fail(startedAt);
    this.#addWatches([...this.#status.keys()].flatMap(foldersAbove));
    const changes = await this.#changes(isFirst);
    this.#whole = { startedAt, tookMs: performance.now() - startedAt };
    return changes;
  }

  /** The stamp covers refs that depend on the default branch: if that changes, both are read again. */
  async #readRefs(git: OpenGit, folders: GitFolders): Promise<TreeRefs | null> {
    const before = this.#refs;
    let refs = await readRefs(git, this.#options.defaultBranch());
    if (refs && refs.defaultBranch !== before?.defaultBranch) {
      this.#refs = refs;
      this.#stamp = await this.#stampOf(folders);
      refs = await readRefs(git, this.#options.defaultBranch());
    }
    this.#refs = refs;
    if (refs?.base !== before?.base || refs?.tip !== before?.tip) {
      this.#own = new Map();
      this.#upstream = new Map();
    }
    return refs;
  }

  #fail(startedAt: number): null {
    this.#whole = { startedAt, tookMs: performance.now() - startedAt };
    this.#isAllDirty = true;
    return null;
  }

  /** New folders are watched from now on, and read once more to find changes made before the watch. */
  async #lookAt(paths: readonly string[]): Promise<ReadChanges | null> {
    const git = this.#git;
    if (!git || !this.#refs) return null;
    const stats = await statsOf(this.#options.root, paths);
    const isKnown = (path: string) => {
      const state = this.#status.get(path);
      return state === 'untracked' ? stats.get(path)?.isFile() : state === 'tracked';
    };
    for (const path of paths) if (stats.get(path)?.isDirectory() !== true) this.#own.delete(path);
    const unknown = await this.#unclear(
      paths.filter((path) => !isKnown(path)),
      stats,
    );
    if (unknown.length > 0 && !(await this.#readStatus(git, unknown))) return this.#last;
    const folders = unknown.filter((path) => stats.get(path)?.isDirectory() && !this.#isIgnored(path));
    for (const folder of folders) {
      const found = await foldersBelow(this.#options.root, folder, (path) => this.#isIgnored(path));
      if (this.#addWatches(found)) this.#hear(folder);
    }
    const changes = await this.#changes(false);
    // A file that equals the merge base again may have been restored.
    const reverted = paths.filter((path) => isKnown(path) && this.#own.get(path)?.diff === null);
    if (reverted.length === 0) return changes;
    return (await this.#readStatus(git, reverted)) ? this.#changes(false) : changes;
  }

  /**
   * Without paths whose status is clear: a path that differs from the merge base is tracked, and a path that appeared
   * and disappeared leaves no change.
   */
  async #unclear(paths: readonly string[], stats: ReadonlyMap<string, Stats>): Promise<string[]> {
    const files = paths.filter((path) => stats.get(path)?.isDirectory() !== true);
    const diffs = this.#refs ? await diffsOf(this.#git, [this.#refs.base], files) : new Map<string, FileDiff>();
    const wasThere = (path: string) =>
      [...diffs.keys(), ...this.#status.keys()].some((one) => one === path || one.startsWith(`${path}/`));
    return paths.filter((path) => {
      const diff = diffs.get(path);
      if (!diff || isUnread(diff)) return stats.has(path) || wasThere(path);
      this.#own.set(path, { stamp: stampOf(stats.get(path)), diff });
      this.#status.set(path, 'tracked');
      return false;
    });
  }

  async #readCommitted(git: OpenGit, { base, head }: TreeRefs): Promise<boolean> {
    const committed = new Set<string>();
    this.#committed = committed;
    if (head === null || head === base) return true;
    const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', base, head];
    const read = await git.records(args, (path) => committed.add(path).size <= maxPaths, limits);
    if (read === 'cut') this.#isCut = true;
    return read !== 'failed';
  }

  /** The status of everything, or of these paths and everything below them. */
  async #readStatus(git: OpenGit, paths: readonly string[]): Promise<boolean> {
    const isBelow = (path: string) => paths.some((one) => path === one || path.startsWith(`${one}/`));
    if (paths.length > 0) for (const path of [...this.#status.keys()]) if (isBelow(path)) this.#status.delete(path);
    const read = await git.records(
      paths.length === 0 ? statusArgs : [...ofPaths, ...statusArgs, '--ignored=matching', '--', ...paths],
      (record) => this.#noteStatus(record),
      limits,
    );
    if (read === 'cut') this.#isCut = true;
    return read !== 'failed';
  }

  #noteStatus(record: string): boolean {
    const entry = parseStatus(record);
    if (!entry) return true;
    const { path, state } = entry;
    if (state === 'ignored') {
      if (this.#ignored.size >= maxIgnored) this.#ignored = new Set();
      this.#ignored.add(path.replace(/\/$/, ''));
      // A folder that ends with a slash is another repository or working tree.
    } else if (!path.endsWith('/') && this.#status.get(path) !== 'tracked') this.#status.set(path, state);
    return this.#status.size <= maxPaths;
  }

  async #changes(isFirst: boolean): Promise<ReadChanges | null> {
    const { root, now } = this.#options;
    const tracked = new Set([...this.#committed, ...named(this.#status, 'tracked')]);
    const all = [...tracked].sort();
    for (const path of named(this.#status, 'untracked').sort()) if (!tracked.has(path)) all.push(path);
    const paths = all.slice(0, maxPaths);
    const stats = await statsOf(root, paths);
    await this.#readDiffs(paths, tracked, stats);
    const read: ReadChanges = {
      defaultBranch: this.#refs?.defaultBranch ?? null,
      ignoresCase: this.#ignoresCase,
      paths: paths.map((path) =>
        this.#changedPath(path, tracked.has(path), isFirst ? stats.get(path) : undefined, now()),
      ),
      truncated: this.#isCut || all.length > maxPaths,
    };
    const kept = new Set(paths);
    for (const known of [this.#own, this.#upstream, this.#since])
      for (const path of known.keys()) if (!kept.has(path)) known.delete(path);
    return this.#last && JSON.stringify(read) === JSON.stringify(this.#last) ? this.#last : read;
  }

  #changedPath(path: string, isTracked: boolean, stats: Stats | undefined, now: number): ChangedPath {
    const upstream = this.#upstream.get(path) ?? null;
    const own = this.#own.get(path)?.diff;
    const as = isTracked
      ? own
        ? changeOf(own, upstream)
        : ({ change: 'modified', lines: 0, in: [] } as const)
      : ({ change: 'added', lines: null, in: [] } as const);
    const before = this.#since.get(path);
    const since = {
      // For changes made before the service started: when the file was last written.
      since: before?.since ?? iso(Math.min(now, stats?.mtimeMs ?? now)),
      behindSince: upstream === null ? null : (before?.behindSince ?? iso(now)),
    };
    this.#since.set(path, since);
    return { path, ...as, ...since };
  }

  async #readDiffs(paths: readonly string[], tracked: ReadonlySet<string>, stats: Map<string, Stats>): Promise<void> {
    const refs = this.#refs;
    if (!refs) return;
    const isRead = (path: string) => this.#own.get(path)?.stamp === stampOf(stats.get(path));
    const unread = paths.filter((path) => tracked.has(path) && !isRead(path));
    const own = await diffsOf(this.#git, [refs.base], unread);
    for (const path of unread) this.#own.set(path, { stamp: stampOf(stats.get(path)), diff: own.get(path) ?? null });
    if (refs.tip === null || refs.tip === refs.base) return;
    const unasked = paths.filter((path) => !this.#upstream.has(path));
    const upstream = await diffsOf(this.#git, [refs.base, refs.tip], unasked);
    for (const path of unasked) this.#upstream.set(path, upstream.get(path) ?? null);
  }

  /** Every folder with a tracked file, before anything is read, so that no change is missed. */
  async #watchFolders(git: OpenGit): Promise<void> {
    if (!this.#options.isWatchable) return;
    const folders = new Set(['']);
    const args = ['ls-files', '-z', '--cached'];
    await git.records(
      args,
      (path) => {
        for (const folder of foldersAbove(path)) {
          if (folders.has(folder)) break;
          folders.add(folder);
        }
        return true;
      },
      { ...limits, maxBytes: 256 * 1024 * 1024 },
    );
    this.#watches.add(folders);
  }

  #addWatches(folders: readonly string[]): boolean {
    const missing = [...new Set(folders)].filter((folder) => !this.#watches.has(folder));
    if (this.#options.isWatchable && missing.length > 0) this.#watches.add(missing);
    return missing.length > 0;
  }

  #watchGit({ gitDir, commonDir }: GitFolders): void {
    const folders = [gitDir, commonDir, join(commonDir, 'refs/heads'), join(commonDir, 'refs/remotes/origin')];
    for (const folder of this.#options.isWatchable ? new Set(folders) : []) {
      if (this.#gitWatches.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false });
        this.#gitWatches.set(folder, watcher);
        watcher.on('change', (_, name) => {
          if (!String(name).endsWith('.lock')) this.#options.onChange();
        });
        watcher.on('error', () => {
          watcher.close();
          this.#gitWatches.delete(folder);
        });
      } catch {
        // For missing or unwatched files, the check every 30 s compares the stamps of all files.
      }
    }
  }
}

const stampOf = (stats: Stats | undefined): string =>
  stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : 'missing';

const named = <State>(entries: ReadonlyMap<string, State>, state: State): string[] =>
  [...entries].flatMap(([path, one]) => (one === state ? [path] : []));

/** The nearest folder first, without the root. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  return folders;
}

async function statsOf(root: string, paths: readonly string[]): Promise<Map<string, Stats>> {
  const found = new Map<string, Stats>();
  await Promise.all(
    paths.map(async (path) => {
      const stats = await lstat(join(root, path)).catch(() => null);
      if (stats) found.set(path, stats);
    }),
  );
  return found;
}

async function ignoresCase({ commonDir }: GitFolders): Promise<boolean> {
  const config = parseGitConfig((await readFileStart(join(commonDir, 'config'), 256 * 1024)) ?? '');
  return config.some(({ section, key, value }) => section === 'core' && key === 'ignorecase' && value === 'true');
}
