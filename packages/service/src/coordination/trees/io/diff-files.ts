import type { OpenGit } from '../../../files/git.ts';
import { type FileDiff, parseDiff } from '../changes.ts';

export const limits = { timeoutMs: 30_000, maxBytes: 32 * 1024 * 1024 };
const pathsPerDiff = 200;

const diffArgs = [
  'diff',
  '--raw',
  '-z',
  '-U0',
  '--abbrev=40',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
];

/** For a few paths git needs no threads that scan the whole index. */
export const ofPaths = ['-c', 'core.preloadIndex=false', '-c', 'index.threads=1', '--literal-pathspecs'];

/** The differences in each of these files, between two commits or between a commit and the working tree. */
export async function diffsOf(
  git: OpenGit | undefined,
  commits: readonly string[],
  paths: readonly string[],
): Promise<Map<string, FileDiff>> {
  const found = new Map<string, FileDiff>();
  const chunks = Array.from({ length: Math.ceil(paths.length / pathsPerDiff) }, (_, at) =>
    paths.slice(at * pathsPerDiff, (at + 1) * pathsPerDiff),
  );
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) {
    const text = await git?.text([...ofPaths, ...diffArgs, ...commits, '--', ...chunk], limits);
    for (const file of parseDiff(text ?? '')) found.set(file.path, file);
    if (text !== undefined) continue;
    // There is too much output: each half of the files is tried, and for a single file it is only known that it
    // differs.
    const half = Math.ceil(chunk.length / 2);
    if (chunk.length > 1) chunks.push(chunk.slice(0, half), chunk.slice(half));
    else for (const path of chunk) found.set(path, { path, ...unreadDiff });
  }
  return found;
}

const unreadDiff = { change: 'modified', before: null, after: null, hunks: null } as const;
/** Whether nothing is known about the diff of a file, not even whether git tracks the file. */
export const isUnread = ({ before, after, hunks }: FileDiff): boolean =>
  before === null && after === null && hunks === null;
