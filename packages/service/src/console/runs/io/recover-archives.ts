import { constants } from 'node:fs';
import { type FileHandle, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushPath } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import { archiveSuffix } from './archive-index.ts';
import { numberOf, partsIn } from './journal.ts';
import { type JournalRecord, recordsIn } from './journal-record.ts';

/**
 * Puts what the journal holds back into the archives, each record where it stood. A process that was killed had written
 * all of it; after a power cut an archive may lack any part. Done again after a crash in the middle, it does the same.
 */
export async function recoverArchives(folder: string, journalFolder: string): Promise<void> {
  const parts = await partsIn(journalFolder);
  if (parts.length === 0) return;
  for (const part of parts) await restorePart(folder, part);
  await flushPath(folder);
  for (const part of parts) await rm(part, { force: true });
  await flushPath(journalFolder);
}

/**
 * Writes one part's records into their archives and flushes those. What is there already is written all the same: after
 * a flush that failed the system shows bytes that never reached the disk, and takes them for flushed.
 */
export async function restorePart(folder: string, part: string): Promise<void> {
  const records = recordsIn(numberOf(part), await readFile(part));
  for (const [runId, own] of byRun(records)) await restore(join(folder, runId + archiveSuffix), own);
}

function byRun(records: Iterable<JournalRecord>): Map<string, JournalRecord[]> {
  const runs = new Map<string, JournalRecord[]>();
  for (const record of records) {
    const known = runs.get(record.runId);
    if (known) known.push(record);
    else runs.set(record.runId, [record]);
  }
  return runs;
}

async function restore(path: string, records: readonly JournalRecord[]): Promise<void> {
  const { O_RDWR, O_CREAT } = constants;
  const { file, stats } = await openSafeFile(path, O_RDWR | O_CREAT);
  try {
    let { size, atime, mtime } = stats;
    let unchanged = true;
    for (const { offset, bytes } of records) {
      // Only someone else can have shortened it; what was answered is kept all the same.
      const at = Math.min(offset, size);
      unchanged &&= await isAlreadyThere(file, at, bytes);
      await writeAt(file, at, bytes);
      size = Math.max(size, at + bytes.length);
    }
    // When an archive was last changed is when its run was last heard of.
    if (unchanged) await file.utimes(atime, mtime);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function isAlreadyThere(file: FileHandle, at: number, bytes: Uint8Array): Promise<boolean> {
  const found = Buffer.alloc(bytes.length);
  const { bytesRead } = await file.read(found, 0, found.length, at);
  return bytesRead === bytes.length && found.equals(bytes);
}

async function writeAt(file: FileHandle, at: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
