import { git, gitRecords } from '../../../files/git.ts';
import { SerialQueue } from '../../../kernel/one-at-a-time.ts';
import type { UnsavedWork } from '../contract.ts';
import type { UnsavedReader } from '../ports.ts';
import { measureIgnored } from './ignored-files.ts';

/** At most this many are listed; all are counted. */
const maxNamed = 100;
const limits = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 };

/**
 * Reads with git what a working tree holds that is nowhere else. One tree at a time, so that a page with many trees does not flood the machine
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
