import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The one-file publisher, which `npm test` builds before any test. */
export function buildOneFile(): void {
  if (existsSync(join(root, 'packages/publisher/dist-file/publisher.mjs'))) return;
  execFileSync(process.execPath, [join(root, 'scripts/one-file-publisher.ts')]);
}
