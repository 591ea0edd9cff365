import { execFile } from 'node:child_process';
import { createSafeGitDir, safeGitEnvironment } from './safe-git-dir.ts';

const patienceMs = 3_000;

/** Whether the tracked files of a repository were changed since its commit; null when git does not answer in time. */
export function watchChanges(root: string, searchPath: string) {
  let known: boolean | null | undefined;
  let asked = false;
  return {
    /** Undefined until git has answered. */
    known: () => known,
    ask(then: (dirty: boolean | null) => void): void {
      if (asked) return;
      asked = true;
      void askedOnce(root, searchPath).then((dirty) => {
        known = dirty;
        then(known);
      });
    },
  };
}

const asking = new Map<string, Promise<boolean | null>>();

/** Runs of one repository that begin together share one answer. */
function askedOnce(root: string, searchPath: string): Promise<boolean | null> {
  const asked = asking.get(root) ?? isChanged(root, searchPath).finally(() => asking.delete(root));
  asking.set(root, asked);
  return asked;
}

async function isChanged(root: string, searchPath: string): Promise<boolean | null> {
  const dir = await createSafeGitDir(root).catch(() => undefined);
  if (!dir) return null;
  const args = ['-C', root, 'status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'];
  const env = safeGitEnvironment(dir, searchPath);
  const dirty = await new Promise<boolean | null>((resolve) => {
    const options = { env, cwd: dir.gitDir, timeout: patienceMs, maxBuffer: 64 * 1024 };
    execFile('git', args, options, (fault, text) => resolve(fault && text === '' ? null : text !== '')).unref();
  });
  await dir.remove();
  return dirty;
}
