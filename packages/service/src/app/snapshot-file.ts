import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../files/durable-file.ts';
import { packageFolder } from '../files/package-folder.ts';
import { readPlainFile } from '../files/plain-file.ts';
import {
  decodeSnapshot,
  encodeSnapshot,
  type Snapshots,
  type UnusableSnapshot,
  whyUnusable,
} from '../store/snapshot.ts';

export const snapshotFile = 'snapshot';

/** The one snapshot of a data path. A snapshot of another program version, or a damaged one, counts as missing. */
export function snapshotsIn(dataPath: string, report: SnapshotReport = {}): Snapshots {
  const path = join(dataPath, snapshotFile);
  const program = programDigest();
  const discarded = (found: UnusableSnapshot) => report.discarded?.(found);
  return {
    read() {
      if (!existsSync(path)) return null;
      const bytes = plainBytes(path);
      if (!bytes) return null;
      const snapshot = decodeSnapshot(program, bytes);
      if (!snapshot) discarded(whyUnusable(program, bytes));
      return snapshot;
    },
    async write(snapshot) {
      await writeAtomically(path, encodeSnapshot(program, snapshot));
      report.written?.();
    },
    discarded,
  };
}

const maxBytes = 2 ** 31;

/** Null if the path is not a regular file; the snapshot is then written again. */
function plainBytes(path: string): Buffer | null {
  try {
    return readPlainFile(path, maxBytes);
  } catch {
    return null;
  }
}

export type SnapshotReport = { discarded?: (found: UnusableSnapshot) => void; written?: () => void };

const isSource = (path: string): boolean => /\.ts$/.test(path) && !/\.test\.ts$/.test(path);
let digest: string | undefined;

/** A hash of all code that takes part in folding, so that changing it invalidates snapshots. The bundle includes its own hash. */
function programDigest(): string {
  if (digest !== undefined) return digest;
  const written = join(packageFolder, 'program-digest');
  const program = existsSync(written) ? readFileSync(written, 'utf8') : digestOfSources();
  digest = createHash('sha256').update(process.versions.v8).update(program).digest('hex');
  return digest;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const room of ['coordination', 'kernel', 'store']) {
    const sources = readdirSync(join(packageFolder, room), { recursive: true, encoding: 'utf8' });
    for (const path of sources.filter(isSource).sort())
      hash.update(path).update(readFileSync(join(packageFolder, room, path)));
  }
  return hash.digest('hex');
}
