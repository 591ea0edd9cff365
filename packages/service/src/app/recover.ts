import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { salvageRuns } from '../console/runs/io/check-runs-file.ts';
import { requireRegularFile } from '../files/regular-file.ts';
import { errorMessage } from '../kernel/error-code.ts';
import type { RecordedEvent } from '../kernel/event-log.ts';
import { keyOfStream, kindOf } from '../kernel/streams.ts';
import { FoldedState } from '../store/folded-state.ts';
import { type RawEvent, recordedEvent } from '../store/raw-event.ts';
import { salvageDump } from '../store/read-dump.ts';
import { type LostEvent, lostMarker, type SalvagedLog, salvageLog } from '../store/salvaged-log.ts';
import { type Salvaged, salvageSqlite } from '../store/sqlite/salvage-sqlite.ts';
import { writeRawSqlite } from '../store/sqlite/sqlite-raw.ts';
import { BadBackup, isPacked, isProcessFile, manifestFile, runsFile, storeFile } from './backup-manifest.ts';
import { copyTree, entriesIn } from './copy-tree.ts';
import { exchangeFiles, isExchanging, lockWholeDataPath } from './exchange-files.ts';
import { createProjections } from './projections.ts';
import { BadArchive, readPacked, writeEntry } from './tar.ts';

/** The recovered and the lost data. `plans` and `claims` are those that lost events belong to, as far as known. */
export type Recovery = {
  at: string;
  source: string;
  kept: number;
  lost: LostEvent[];
  /** Events that cannot be folded without a lost one; they are in the file of lost events. */
  dropped: { sequence: number; stream: string; why: string }[];
  plans: string[];
  claims: string[];
  /** Rows of the database of runs that could not be read; null if it was intact or missing. */
  runs: number | null;
  replacedFolder: string | null;
};

type Options = { dataPath: string; source: string; replace: boolean; check: boolean; at: string };

/** Reads everything readable in a damaged data path, backup or dump, and writes a data path that starts. */
export async function recover({ dataPath, source, replace, check, at }: Options): Promise<Recovery> {
  if (!existsSync(source))
    throw new BadBackup(`${source} does not exist. Pass a data path, a backup, or a dump of PostgreSQL.`);
  const lock = await lockWholeDataPath(dataPath, at);
  const work = await mkdtemp(join(check ? tmpdir() : dataPath, check ? 'signalbox-recover-' : 'restoring-'));
  try {
    const { salvaged, folder } = await salvage(source, work, dataPath === source);
    const log = salvageLog(salvaged.events, salvaged.damaged, salvaged.newest);
    const { events, dropped } = foldable(log);
    const report = { at, source, kept: events.length, lost: log.lost, dropped, ...touched(log.lost, dropped) };
    const runs = recoverRuns(folder, work);
    if (check) return { ...report, runs, replacedFolder: null };
    const made = join(work, 'made');
    await mkdir(made, { mode: 0o700 });
    if (dataPath !== source)
      await copyTree(folder, made, {
        skip: (path) => isProcessFile(path) || isDatabase(path) || path === manifestFile,
      });
    const marker = lostMarker(events, [...log.lost, ...dropped].sort(bySequence), at);
    await writeRawSqlite(join(made, storeFile), onePage(marker ? [...events, marker] : events), salvaged.keys);
    if (runs !== null && runs > 0) await rename(join(work, 'runs.recovered'), join(made, runsFile));
    else if (existsSync(join(folder, runsFile)) && dataPath !== source)
      await copyFile(join(folder, runsFile), join(made, runsFile));
    const replacedFolder = await putInPlace(work, dataPath, replace || dataPath === source, at);
    const recovery = { ...report, runs, replacedFolder };
    await writeFile(
      join(dataPath, `recovered-${at.replace(/[:.]/g, '-')}.json`),
      `${JSON.stringify({ ...recovery, events: droppedEvents(log, dropped) }, null, 1)}\n`,
      { mode: 0o600 },
    );
    return recovery;
  } finally {
    if (!isExchanging(dataPath)) await rm(work, { recursive: true, force: true });
    lock.release();
  }
}

const bySequence = (one: LostEvent, other: LostEvent): number => one.sequence - other.sequence;
const isDatabase = (path: string): boolean => path.startsWith(storeFile) || path.startsWith(runsFile);

/** SQLite may write to what it opens, so it gets copies. */
async function salvage(source: string, work: string, isOwn: boolean): Promise<{ salvaged: Salvaged; folder: string }> {
  if (!statSync(source).isDirectory()) requireRegularFile(source);
  const isFile = statSync(source).isFile();
  const folder = isFile ? join(work, 'unpacked') : source;
  if (isFile) await mkdir(folder, { mode: 0o700 });
  // A dump, or only the file of a store.
  if (isFile && !isPacked(source)) return { salvaged: await salvageFile(source, work), folder };
  if (isFile) await unpackReadable(source, folder);
  if (isOwn && !existsSync(join(folder, storeFile)))
    throw new BadBackup(`${source} has no ${storeFile}. Pass the backup or the folder that holds one.`);
  requireRegularFile(join(folder, storeFile));
  let best: Salvaged = { events: new Map(), damaged: new Map(), keys: [], newest: 0 };
  for (const store of await storesIn(folder)) {
    const salvaged = await salvageFile(store, work);
    if (salvaged.events.size > best.events.size) best = salvaged;
    if (best.events.size > 0 && basename(store) === storeFile) break;
  }
  return { salvaged: best, folder };
}

/** Tries the store by its name first, then other files: files of a backup may have been swapped. */
async function storesIn(folder: string): Promise<string[]> {
  const files = (await entriesIn(folder)).filter(({ kind }) => kind === 'file').map(({ path }) => path);
  const others: string[] = [];
  for (const path of files.filter((one) => one !== storeFile && !one.startsWith('replaced-')))
    if ((await readStart(join(folder, path))).startsWith('SQLite format 3')) others.push(path);
  return [...files.filter((path) => path === storeFile), ...others].map((path) => join(folder, path));
}

async function salvageFile(file: string, work: string): Promise<Salvaged> {
  const begin = await readStart(file);
  const isText = /^(--|SET |COPY |CREATE |\s)/.test(begin) && !begin.startsWith('SQLite');
  if (isText && !basename(file).endsWith('.sqlite')) return salvageDump(file);
  const copy = join(work, 'copy.sqlite');
  for (const ending of ['', '-wal', '-shm']) await rm(copy + ending, { force: true });
  for (const ending of ['', '-wal']) requireRegularFile(file + ending);
  await copyFile(file, copy);
  if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
  return salvageSqlite(copy);
}

async function readStart(file: string): Promise<string> {
  const opened = await open(file);
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await opened.close();
  }
}

/** A truncated packed backup is read up to its end. */
async function unpackReadable(source: string, folder: string): Promise<void> {
  try {
    await readPacked(source, async (entry, content) => {
      if (entry.kind === 'file') await writeEntry(folder, entry, content);
      return undefined;
    });
  } catch (fault) {
    if (!(fault instanceof BadArchive)) throw fault;
  }
}

/** Leaves out events that no projection can fold without a lost one. */
function foldable({ events }: SalvagedLog): { events: RawEvent[]; dropped: Recovery['dropped'] } {
  const dropped: Recovery['dropped'] = [];
  let kept = events;
  for (;;) {
    const failed = firstUnfoldable(kept);
    if (!failed) return { events: kept, dropped };
    dropped.push(failed);
    kept = kept.filter(({ sequence }) => sequence !== failed.sequence);
  }
}

function firstUnfoldable(events: readonly RawEvent[]): Recovery['dropped'][number] | null {
  const folded = new FoldedState();
  folded.attach(Object.values(createProjections()), []);
  for (const raw of events) {
    try {
      folded.apply(recordedEvent(raw));
    } catch (fault) {
      return { sequence: raw.sequence, stream: raw.stream, why: errorMessage(fault) };
    }
  }
  return null;
}

function droppedEvents({ events }: SalvagedLog, dropped: Recovery['dropped']): RecordedEvent[] {
  const sequences = new Set(dropped.map(({ sequence }) => sequence));
  return events.filter(({ sequence }) => sequences.has(sequence)).map(recordedEvent);
}

function touched(lost: readonly LostEvent[], dropped: Recovery['dropped']): Pick<Recovery, 'plans' | 'claims'> {
  const names = [...new Set([...lost, ...dropped].flatMap(({ stream }) => (stream === null ? [] : [stream])))].sort();
  const nodes = names.filter((stream) => ['claim', 'evidence', 'link'].includes(kindOf(stream) ?? '')).map(keyOfStream);
  return {
    plans: [
      ...new Set([
        ...names.filter((stream) => kindOf(stream) === 'plan').map(keyOfStream),
        ...nodes.map((node) => node.slice(0, node.indexOf('/'))),
      ]),
    ].sort(),
    claims: names.filter((stream) => kindOf(stream) === 'claim').map(keyOfStream),
  };
}

/** How many of its rows were lost; null if the file does not exist. An intact file is left as it is. */
function recoverRuns(folder: string, work: string): number | null {
  const file = join(folder, runsFile);
  requireRegularFile(file);
  return existsSync(file) ? salvageRuns(file, join(work, 'runs.copy'), join(work, 'runs.recovered')) : null;
}

async function* onePage(events: readonly RawEvent[]): AsyncIterable<readonly RawEvent[]> {
  yield events;
}

/** Existing data is set aside, never removed. */
async function putInPlace(work: string, dataPath: string, replace: boolean, at: string): Promise<string | null> {
  const incoming = await readdir(join(work, 'made'));
  const existing = readdirSync(dataPath).filter(
    (name) =>
      incoming.includes(name) ||
      name === 'snapshot' ||
      incoming.some((file) => file.endsWith('.sqlite') && name.startsWith(`${file}-`)),
  );
  if (existing.length > 0 && !replace)
    throw new BadBackup(
      `${dataPath} already holds ${existing.join(', ')}. Nothing was changed. Use --replace to set these aside, or choose another Service:DataPath.`,
    );
  const workFolder = basename(work);
  const incomingFolder = join(workFolder, 'made');
  return await exchangeFiles(dataPath, { workFolder, incomingFolder, incoming, existing }, at);
}
