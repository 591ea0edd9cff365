import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../kernel/error-code.ts';
import { type RawEvent, rawEventColumns } from '../store/raw-event.ts';
import { openRawSqlite } from '../store/sqlite/sqlite-raw.ts';
import { BadBackup, manifestFile, storeFile } from './backup-manifest.ts';
import { lockWholeDataPath } from './exchange-files.ts';
import { markMoved } from './prepare-data-path.ts';

export type MovedStore = { events: number; streams: number; keys: number; sha256: string };

/** Copies the log of a data path into an empty PostgreSQL database, and reads it back to compare. */
export async function moveStore(dataPath: string, url: string, at: string): Promise<MovedStore> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new BadBackup('--to must be a postgres:// address. In the password, write / ? # @ as %2F %3F %23 %40.');
  const file = join(dataPath, storeFile);
  if (!existsSync(file)) throw new BadBackup(`${dataPath} has no ${storeFile}. Set the folder with --from.`);
  // A service that is still running would write events that are not copied.
  const lock = await lockWholeDataPath(dataPath, at);
  try {
    const reading = openRawSqlite(file);
    return await moveEvents(dataPath, reading, url, at).finally(() => reading.close());
  } finally {
    lock.release();
  }
}

async function moveEvents(
  dataPath: string,
  reading: ReturnType<typeof openRawSqlite>,
  url: string,
  at: string,
): Promise<MovedStore> {
  const { openRawPostgres, writeRawPostgres, asStored, NotEmpty } = await import('../store/postgres/postgres-raw.ts');
  const keys = reading.keys();
  await writeRawPostgres(url, reading.events(), keys).catch((fault: unknown) => {
    if (!(fault instanceof NotEmpty)) throw unusable(url, fault);
    throw new BadBackup(
      `${fault.message} The log can only be moved into an empty database; choose another one with --to.`,
    );
  });
  const before = await digestOf(reading.events(), asStored);
  const written = await openRawPostgres(url);
  const after = await digestOf(written.events(), asStored).finally(() => written.close());
  if (before.sha256 !== after.sha256) {
    throw new BadBackup('The events read back from PostgreSQL differ from what was written. Do not use that database.');
  }
  const { host, pathname } = new URL(url);
  // A backup that is used as the source stays unchanged.
  if (!existsSync(join(dataPath, manifestFile)))
    await markMoved(dataPath, { to: `${host}${pathname}`, at, events: before.events });
  return { ...before, keys: keys.length };
}

/** Nothing was written, because it is one transaction. The address may contain a password, so only its host is shown. */
function unusable(url: string, fault: unknown): BadBackup {
  const message = errorMessage(fault);
  return new BadBackup(
    `The database at ${new URL(url).host} cannot be used: ${message}. Nothing was written; correct --to.`,
  );
}

/** Covers every member of every event, in order. */
async function digestOf(
  pages: Iterable<readonly RawEvent[]> | AsyncIterable<readonly RawEvent[]>,
  asStored: (event: RawEvent) => RawEvent,
) {
  const hash = createHash('sha256');
  const streams = new Set<string>();
  let events = 0;
  for await (const page of pages) {
    for (const event of page.map(asStored)) {
      hash.update(JSON.stringify(rawEventColumns.map((member) => event[member])));
      streams.add(event.stream);
      events += 1;
    }
  }
  return { events, streams: streams.size, sha256: hash.digest('hex') };
}
