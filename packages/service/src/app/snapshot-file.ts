import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../files/durable-file.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshots } from '../store/snapshot.ts';

export const snapshotFile = 'snapshot';

/** The one snapshot of a data path. A snapshot of another program version, or a damaged one, counts as missing. */
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

/** Hash of all code that takes part in folding, so that a change to it invalidates snapshots automatically. */
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
