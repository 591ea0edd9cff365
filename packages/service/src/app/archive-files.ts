import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing, writeAtomically } from '../files/durable-file.ts';
import { readWholeFile } from '../files/safe-file.ts';
import type { RecordedEvent } from '../kernel/event-log.ts';
import { streams } from '../kernel/streams.ts';
import { type ArchiveFiles, readArchiveText } from '../store/moved-events.ts';
import type { Config } from './config.ts';

/** A longer history does not fit into one string; such a plan stays in the log. */
const mostBytes = 512 * 1024 * 1024 - 64;

/** The archive of plans in a data path. */
export function archiveFilesIn(dataPath: string): ArchiveFiles & { names(): Promise<string[]> } {
  const folder = join(dataPath, 'archive');
  return {
    write: (name, text) => writeAtomically(join(folder, name), text),
    read: (name) => readWholeFile(join(folder, name), mostBytes),
    names: async () => (await readdir(folder).catch(nullIfMissing)) ?? [],
  };
}

/** All events of a plan that was moved out of the log, in order; empty if the plan was not. */
export async function readArchivedPlan({ store, dataPath }: Config, slug: string): Promise<RecordedEvent[]> {
  const found = await fromFiles(dataPath, slug);
  if (store !== 'sqlite') {
    const { readArchivedTopic } = await import('../store/postgres/postgres-raw.ts');
    found.push(...(await readArchivedTopic(store, streams.plan(slug))));
  }
  // A crash during the move may have left some events twice.
  const byId = new Map(found.map((event) => [event.id, event]));
  return [...byId.values()].sort((one, other) => one.sequence - other.sequence);
}

async function fromFiles(dataPath: string, slug: string): Promise<RecordedEvent[]> {
  const files = archiveFilesIn(dataPath);
  const ofPlan = (await files.names()).filter(
    (name) => name.slice(name.indexOf('-') + 1) === `${slug.toLowerCase()}.ndjson`,
  );
  const found: RecordedEvent[] = [];
  for (const name of ofPlan) found.push(...readArchiveText(await files.read(name)));
  return found;
}
