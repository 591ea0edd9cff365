import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'packages/publisher');
const dist = join(folder, 'dist');

/** The package as users get it, built when its sources have changed; test files share the result. */
export async function buildPublisher(): Promise<void> {
  const wanted = fingerprint();
  const lock = `${dist}.lock`;
  while (!isBuilt(wanted)) {
    if (!take(lock)) {
      await sleep(50);
      continue;
    }
    try {
      if (!isBuilt(wanted)) build(wanted);
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

const stamp = join(dist, '.sources');
const isBuilt = (wanted: string) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;

/** The lock names the process that builds; if that has ended, a killed test run left the lock. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    removeIfLeft(lock);
    return false;
  }
}

function removeIfLeft(lock: string): void {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') rmSync(lock, { force: true });
  }
}

function build(wanted: string): void {
  const fresh = `${dist}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', join(folder, 'tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit' });
  writeFileSync(join(fresh, '.sources'), wanted);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).sort();
  for (const name of files) {
    const file = join(folder, 'src', name);
    if (statSync(file).isFile()) hash.update(name).update(readFileSync(file));
  }
  return hash.update(readFileSync(join(folder, 'tsconfig.build.json'))).digest('hex');
}
