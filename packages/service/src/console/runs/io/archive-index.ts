import { lstat, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing } from '../../../files/durable-file.ts';
import type { ArchiveIndex, StoredArchive } from '../ports.ts';
import { isRunId } from '../read-event.ts';

const version = 1;
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
    return index?.version === version ? index : null;
  } catch {
    return null;
  }
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
  return { runId, bytes: stats.size, changedAtMs: stats.mtimeMs, index: fits ? index : null };
}

export const indexPath = pathOf;
