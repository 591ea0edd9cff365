import { execFile } from 'node:child_process';

const patienceMs = 3_000;

/** Whether the tracked files of a repository were changed since its commit; null when git does not tell in time. */
export function watchChanges(root: string, searchPath: string) {
  let known: boolean | null | undefined;
  let asked = false;
  return {
    /** Undefined before there is an answer. */
    known: () => known,
    ask(then: (dirty: boolean | null) => void): void {
      if (asked) return;
      asked = true;
      const args = ['-C', root, 'status', '--porcelain', '--untracked-files=no'];
      // Taking no lock: someone may be committing meanwhile.
      const env = { PATH: searchPath, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
      const asking = execFile('git', args, { env, timeout: patienceMs, maxBuffer: 64 * 1024 }, (fault, said) => {
        known = fault && said === '' ? null : said !== '';
        then(known);
      });
      asking.unref();
    },
  };
}
