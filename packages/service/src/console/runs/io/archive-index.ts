import { lstat, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../../../files/durable-file.ts';
import { isRunId } from '../../../run-contract/run-id.ts';
import type { ArchiveIndex, StoredArchive } from '../ports.ts';

const version = 2;
/** So many files are looked at together; one slow one must not hold up thousands. */
const filesAtOnce = 64;

export const archiveSuffix = '.ndjson';
const pathOf = (folder: string, runId: string) => join(folder, '.index', `${runId}.json`);

/** Replaced in one step: a reader finds the old one or the new one. */
export async function saveIndex(folder: string, runId: string, index: ArchiveIndex): Promise<void> {
  const path = pathOf(folder, runId);
  await writeFile(`${path}.new`, JSON.stringify({ version, ...index }), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Whatever is wrong with an index, it can be made again. */
async function readIndex(path: string): Promise<ArchiveIndex | null> {
  try {
    const index = JSON.parse(await readFile(path, 'utf8'));
    if (index?.version === 1) return fromBeforeStamps(index);
    return index?.version === version ? index : null;
  } catch {
    return null;
  }
}

/** Release 0.1.0 wrote these: without stamps, and so without what they tell. */
function fromBeforeStamps(index: Omit<ArchiveIndex, 'firstWrittenAtMs'>): ArchiveIndex {
  const unstamped = { receivedAt: null, endedAt: null, publisher: null, trust: 'local', late: 0 } as const;
  return { ...index, firstWrittenAtMs: 0, head: { ...index.head, ...unstamped } };
}

/** Every archive with its index, where that still speaks about it. */
export async function* archivesIn(folder: string): AsyncIterable<StoredArchive> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(archiveSuffix))
    .map(({ name }) => name.slice(0, -archiveSuffix.length))
    .filter((runId) => isRunId(runId) && runId === runId.toLowerCase());
  for (let from = 0; from < names.length; from += filesAtOnce) {
    const group = names.slice(from, from + filesAtOnce).map((runId) => storedArchive(folder, runId));
    for (const one of await Promise.all(group)) if (one) yield one;
  }
}

async function storedArchive(folder: string, runId: string): Promise<StoredArchive | null> {
  const [stats, index] = await Promise.all([
    lstat(join(folder, runId + archiveSuffix)).catch(nullIfMissing),
    readIndex(pathOf(folder, runId)),
  ]);
  if (!stats) return null;
  // A copy keeps the time of a file only to about a microsecond; an archive never changes without growing.
  const fits = index?.bytes === stats.size && Math.abs(index.changedAtMs - stats.mtimeMs) < 1;
  const { size: bytes, mtimeMs: changedAtMs, birthtimeMs: createdAtMs } = stats;
  if (index?.firstWrittenAtMs === 0) index.firstWrittenAtMs = Math.round(Math.min(createdAtMs, changedAtMs));
  return { runId, bytes, changedAtMs, createdAtMs, index: fits ? index : null };
}

export const indexPath = pathOf;
