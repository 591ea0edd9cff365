import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The program as it is published, which tests start, is made from the sources as they are now. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../scripts/prepare.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('scripts/prepare.mjs failed');
}
