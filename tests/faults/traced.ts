import { spawnSync } from 'node:child_process';

export const hasStrace = spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0;
if (!hasStrace) process.stdout.write('not run: this machine has no strace to order system calls with\n');

/** A completed system call, in the order of completion. */
export type SystemCall = { call: string; path: string; text: string };

const cut = '<unfinished ...>';
const called = /^(\d+)\s+(\w+)\((?:\w+, )?(?:\d+|AT_FDCWD)(?:<([^>]*)>)?(.*)$/;

/** Reads the output of strace with `-f -y`: calls that other threads interrupted are joined at their end. */
export function readTrace(trace: string): SystemCall[] {
  const begun = new Map<string, SystemCall>();
  const done: SystemCall[] = [];
  for (const line of trace.split('\n')) {
    const resumed = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)$/.exec(line);
    if (resumed) {
      const before = begun.get(resumed[1] ?? '');
      begun.delete(resumed[1] ?? '');
      if (before && /= \d+/.test(resumed[3] ?? '')) done.push({ ...before, text: before.text + resumed[3] });
      continue;
    }
    const [, pid = '', call = '', path = '', text = ''] = called.exec(line) ?? [];
    if (call === '') continue;
    if (text.endsWith(cut)) begun.set(pid, { call, path, text: text.slice(0, -cut.length) });
    else if (/= \d+(<.*>)?$/.test(text)) done.push({ call, path, text });
  }
  return done;
}

const flushes = new Set(['fdatasync', 'fsync']);

/**
 * Whether the data with the marker was flushed before it was answered: some file received it, and a flush of the same
 * file completed after the last write of it and before the first bytes of the answer with that marker.
 */
export function flushedBefore(done: readonly SystemCall[], marker: string, answer: number, folder: string): boolean {
  const before = done.slice(0, answer);
  const files = new Set(
    before.filter(({ path, text }) => path.startsWith(folder) && text.includes(marker)).map(({ path }) => path),
  );
  return [...files].some((file) => {
    const written = before.findLastIndex(({ path, text }) => path === file && text.includes(marker));
    return before.slice(written + 1).some(({ call, path }) => flushes.has(call) && path === file);
  });
}
