import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitRecords } from '../../../files/git.ts';
import { SerialQueue } from '../../../kernel/one-at-a-time.ts';
import type { UnsavedWork } from '../contract.ts';
import type { UnsavedReader } from '../ports.ts';

/** At most this many are listed; all are counted. */
const maxNamed = 100;
const limits = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };

/**
 * Reads with git what exists only in a working tree. One tree at a time, so that a page with many trees does not flood the machine
 * with processes; concurrent requests for one tree share an answer.
 */
export function createUnsavedReader(): UnsavedReader {
  const queue = new SerialQueue();
  const underWay = new Map<string, Promise<UnsavedWork | null>>();
  return (root) => {
    const reading = underWay.get(root) ?? queue.run(() => readUnsaved(root)).finally(() => underWay.delete(root));
    underWay.set(root, reading);
    return reading;
  };
}

async function readUnsaved(root: string): Promise<UnsavedWork | null> {
  const files = await filesIn(root);
  const unpushed = files && (await unpushedIn(root));
  if (!unpushed) return null;
  const { ignored, ...uncommitted } = files;
  return { root, ...uncommitted, ...unpushed, ...(await measureIgnored(root, ignored, maxNamed)) };
}

async function filesIn(root: string) {
  const ignored: string[] = [];
  const uncommitted: UnsavedWork['uncommitted'] = [];
  let uncommittedCount = 0;
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
    '--ignored=traditional',
    '--ignore-submodules=dirty',
  ];
  const whole = await gitRecords(
    root,
    args,
    (record) => {
      if (record.startsWith('!!')) return void ignored.push(record.slice(3));
      uncommittedCount++;
      if (uncommitted.length < maxNamed) uncommitted.push({ change: record.slice(0, 2).trim(), path: record.slice(3) });
    },
    { ...limits, comparesFiles: true },
  );
  return whole ? { uncommitted, uncommittedCount, ignored } : null;
}

async function unpushedIn(root: string) {
  const branch = (await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim() || null;
  const hasRemotes = ((await git(root, ['for-each-ref', '--count=1', '--format=1', 'refs/remotes'])) ?? '') !== '';
  const elsewhere = hasRemotes ? ['--remotes'] : [...(branch ? [`--exclude=${branch}`] : []), '--branches'];
  // Before its first commit HEAD names nothing.
  if ((await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])) === undefined)
    return { branch, hasRemotes, unpushed: [], unpushedCount: 0 };
  const range = ['HEAD', '--not', ...elsewhere];
  const counted = await git(root, ['rev-list', '--count', ...range], limits);
  if (counted === undefined) return null;
  const unpushed: UnsavedWork['unpushed'] = [];
  const whole = await gitRecords(
    root,
    ['log', '-z', '--no-show-signature', `--max-count=${maxNamed}`, '--format=%h %s', ...range],
    (record) => {
      const [commit = '', ...words] = record.split(' ');
      unpushed.push({ commit, subject: words.join(' ').slice(0, 200) });
    },
    limits,
  );
  return whole ? { branch, hasRemotes, unpushed, unpushedCount: Number(counted) } : null;
}

/** Folders such as `node_modules` hold more files than anybody wants to wait for: counting ends here. */
const maxFiles = 20_000;

type Measured = { files: number; bytes: number };
export type IgnoredFiles = Pick<UnsavedWork, 'ignored' | 'ignoredFiles' | 'ignoredBytes' | 'ignoredCounted'>;

/** How much git ignores in a working tree. Single files come first: ignored folders can usually be rebuilt. */
export async function measureIgnored(root: string, paths: readonly string[], maxNamed: number): Promise<IgnoredFiles> {
  const isFolder = (path: string) => path.endsWith('/');
  const inOrder = [...paths.filter((path) => !isFolder(path)), ...paths.filter(isFolder)];
  const budget = { files: maxFiles };
  const ignored: UnsavedWork['ignored'] = [];
  const total = { files: 0, bytes: 0 };
  for (const path of inOrder) {
    const measured = await measure(join(root, path), isFolder(path), budget);
    total.files += measured.files;
    total.bytes += measured.bytes;
    if (ignored.length < maxNamed) ignored.push({ path, ...measured });
  }
  return {
    ignored,
    ignoredFiles: total.files,
    ignoredBytes: total.bytes,
    ignoredCounted: budget.files > 0,
  };
}

/** Counts a file, or everything in a folder, until the budget is used up. Links are files: none is followed. */
async function measure(path: string, isFolder: boolean, budget: { files: number }): Promise<Measured> {
  const total = { files: 0, bytes: 0 };
  const folders: string[] = [];
  const add = async (file: string) => {
    if (budget.files === 0) return;
    budget.files -= 1;
    total.files += 1;
    total.bytes += (await lstat(file).catch(() => undefined))?.size ?? 0;
  };
  if (isFolder) folders.push(path);
  else await add(path);
  for (let folder = folders.pop(); folder !== undefined && budget.files > 0; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (budget.files === 0) break;
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
        else await add(join(folder, entry.name));
      }
    } catch {
      // If it becomes unreadable or disappears, the files counted so far count.
    }
  }
  return total;
}
