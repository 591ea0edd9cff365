import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/durable-file.ts';
import { readSmallJson } from '../files/plain-file.ts';

const lastBackup = z.object({
  at: z.string(),
  target: z.string(),
  events: z.int(),
  warnings: z.int(),
});

/** The newest backup of a data path that was verified. */
export type LastBackup = z.output<typeof lastBackup>;

const fileIn = (dataPath: string): string => join(dataPath, 'last-backup.json');

export function readLastBackup(dataPath: string): LastBackup | null {
  try {
    return lastBackup.parse(readSmallJson(fileIn(dataPath)));
  } catch {
    return null;
  }
}

/** If the data path is not writable, the backup is still valid. */
export async function noteBackup(dataPath: string, backup: LastBackup): Promise<void> {
  await writeAtomically(fileIn(dataPath), `${JSON.stringify(backup)}\n`).catch(() => undefined);
}
