import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FoldedState } from '../store/folded-state.ts';
import { LogCheck } from '../store/log-check.ts';
import type { RawEvent } from '../store/raw-event.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { openRawSqlite } from '../store/sqlite/sqlite-raw.ts';
import { storeFile } from './backup-manifest.ts';
import type { Config } from './config.ts';
import { createProjections } from './projections.ts';
import { snapshotsIn } from './snapshot-file.ts';

/**
 * `differs` lists the projections in which the snapshot and the log disagree; null if this program has no snapshot. `damaged` describes damage
 * in the log, which a start from the snapshot does not notice.
 */
export type SnapshotCheck = {
  sequence: number;
  events: number;
  inLog: boolean;
  differs: string[];
  damaged: string | null;
};

/** Folds the log from its first event and from the snapshot on, and compares the two. Nothing is written. */
export async function verifySnapshot(config: Config): Promise<SnapshotCheck | null> {
  const snapshot = snapshotsIn(config.dataPath).read();
  if (!snapshot) return null;
  const [whole, resumed] = [openFold(), openFold()];
  const fits = resumed.load(snapshot);
  let inLog = false;
  const check = new LogCheck();
  for await (const page of await readLog(config)) {
    for (const raw of page) {
      const event = check.read(raw);
      if (!event) continue;
      whole.apply(event);
      if (event.sequence > snapshot.sequence) resumed.apply(event);
      else if (event.sequence === snapshot.sequence) inLog = event.id === snapshot.id;
    }
  }
  const differs = fits && inLog ? difference(whole.save(), resumed.save()) : ['everything'];
  const { events, damage: damaged } = check.end();
  return { sequence: snapshot.sequence, inLog, differs, events, damaged };
}

function openFold(): FoldedState {
  const folded = new FoldedState();
  folded.attach(Object.values(createProjections()), []);
  return folded;
}

async function readLog({
  store,
  dataPath,
}: Config): Promise<Iterable<readonly RawEvent[]> | AsyncIterable<readonly RawEvent[]>> {
  if (store === 'sqlite') return openRawSqlite(join(dataPath, storeFile)).events();
  const { openRawPostgres } = await import('../store/postgres/postgres-raw.ts');
  const reading = await openRawPostgres(store);
  return (async function* () {
    yield* reading.events();
    await reading.close();
  })();
}

type Saved = Pick<Snapshot, 'versions' | 'states'> | null;

function difference(whole: Saved, resumed: Saved): string[] {
  const parts = (saved: Saved) => new Map<string, unknown>([...(saved?.states ?? []), ['versions', saved?.versions]]);
  const [one, other] = [parts(whole), parts(resumed)];
  return [...one.keys()].filter((name) => !isDeepStrictEqual(comparable(one.get(name)), comparable(other.get(name))));
}

/** The serialised search index depends on its history, but its content follows from the entries, which are compared. */
const comparable = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'index' in state ? { ...state, index: '' } : state;
