import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the published form of the program, which tests start, from the current sources. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, '../scripts/prepare.mjs')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('scripts/prepare.mjs failed');
}
