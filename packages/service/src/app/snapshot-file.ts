import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../files/durable-file.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshots } from '../store/snapshot.ts';

export const snapshotFile = 'snapshot';

/** The one snapshot of a data path. One that another program wrote, or that is damaged, is as good as none. */
export function snapshotsIn(dataPath: string): Snapshots {
  const path = join(dataPath, snapshotFile);
  const program = programDigest();
  return {
    read: () => (existsSync(path) ? decodeSnapshot(program, readFileSync(path)) : null),
    write: (snapshot) => writeAtomically(path, encodeSnapshot(program, snapshot)),
  };
}

const isSource = (path: string): boolean => /\.(ts|js)$/.test(path) && !/\.(test|d)\.ts$/.test(path);
let digest: string | undefined;

/** Of all that has a part in folding: whoever changes any of it need not think of snapshots. */
function programDigest(): string {
  if (digest !== undefined) return digest;
  const hash = createHash('sha256').update(process.versions.v8);
  const root = join(import.meta.dirname, '..');
  for (const room of ['coordination', 'kernel', 'store']) {
    const sources = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' });
    for (const path of sources.filter(isSource).sort()) hash.update(path).update(readFileSync(join(root, room, path)));
  }
  digest = hash.digest('hex');
  return digest;
}
