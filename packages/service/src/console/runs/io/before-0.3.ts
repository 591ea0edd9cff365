import { lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isNewer, readVerdict } from '../../../../../event-model/src/verdicts.ts';
import { flushPath, nullIfMissing } from '../../../files/durable-file.ts';
import { readLines } from '../../../files/read-lines.ts';
import { requireRegularFile } from '../../../files/regular-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import type { HistorySuite } from '../history/ports.ts';
import { stampOf } from '../run.ts';
import type { RunRow, StoredRun } from '../run-store.ts';
import type { ArchiveFiles } from './archive-files.ts';
import { HistoryRows } from './history-rows.ts';
import type { RunsDatabase } from './runs-database.ts';
import { VerdictRows } from './verdict-rows.ts';

type Report = (details: object, text: string) => void;
/** Progress is logged each time this many runs have been read. */
const progressEvery = 500;

/**
 * Releases before 0.3 had a journal, an index file for each run and a history file for each suite. They are read once, into
 * a new database. Archives stay where they are.
 */
export async function adoptEarlierFiles(
  files: ArchiveFiles,
  database: RunsDatabase,
  warn: Report,
  info: Report,
): Promise<void> {
  await completeFromJournal(files, join(files.folder, '.journal'));
  const indexes = join(files.folder, '.index');
  // Without this folder no earlier release wrote these archives, or the database was lost: their sender is unknown.
  const archives = (await lstat(indexes).catch(nullIfMissing)) ? [...(await files.sizes())] : [];
  const of = archives.length;
  if (of > 0) info({ of }, 'reading the runs of an earlier release; its files are set aside when this is done');
  for (const [at, [runId, archive]] of archives.entries()) {
    if (at > 0 && at % progressEvery === 0) info({ read: at, of }, 'reading the runs of an earlier release');
    const row = await readIndex(join(indexes, `${runId}.json`), archive);
    database.adopt(runId, row ? stampOf(row.head) : {}, row);
  }
  const folder = join(dirname(files.folder), 'history');
  for (const name of (await readdir(folder).catch(nullIfMissing)) ?? []) {
    if (!name.endsWith('.ndjson') || name.startsWith('.')) continue;
    await adoptHistory(join(folder, name), database).catch((err) => {
      warn({ err, file: name }, 'a file of the history of tests could not be read and is left out');
    });
  }
}

/** Reading the file again, after a crash or an earlier release, keeps the newer verdict of each scenario. */
export async function adoptVerdicts(dataPath: string, database: RunsDatabase, warn: Report): Promise<void> {
  const path = join(dataPath, verdictsFile);
  requireRegularFile(path);
  const opened = await openSafeFile(path).catch(nullIfMissing);
  if (!opened) return;
  const rows = new VerdictRows(database, () => undefined);
  let skipped = 0;
  for await (const lines of readLines(opened.file.createReadStream({ highWaterMark: 256 * 1024 }))) {
    for (const line of lines.filter((text) => text.trim() !== '')) {
      const verdict = readVerdict(line);
      const known = verdict && rows.newest(verdict.identity);
      if (!verdict) skipped += 1;
      else if (!known || !isNewer(known, verdict)) rows.put(verdict);
    }
    rows.write(lines.length);
  }
  // The file is set aside next, so the rows must be on disk.
  if (!database.checkpoint()) await flushPath(database.walPath);
  if (skipped > 0) warn({ skipped }, 'lines of verdicts.ndjson could not be read and were skipped');
}

const verdictsFile = 'verdicts.ndjson';

/** Moves the files that were read into a separate folder, where they stay until a person removes them. */
export async function setEarlierFilesAside(dataPath: string): Promise<void> {
  const aside = join(dataPath, 'runs', 'before-0.3');
  let isMoved = false;
  for (const path of [
    join(dataPath, 'runs', '.journal'),
    join(dataPath, 'runs', '.index'),
    join(dataPath, 'history'),
    join(dataPath, verdictsFile),
  ]) {
    const found = await lstat(path).catch(nullIfMissing);
    if (!found?.isDirectory() && !found?.isFile()) continue;
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await rename(path, join(aside, basename(path).replace(/^\./, '')));
    isMoved = true;
  }
  if (isMoved) await flushPath(aside);
}

const framing = /^([a-z0-9._-]{1,100}) (\d{1,15}) (\d{1,10}) ([0-9a-f]{8})$/;
const framingAtMost = 140;

/** Reads the parts in the order they were written; each record is a header line, followed by the bytes. */
async function completeFromJournal(files: ArchiveFiles, folder: string): Promise<void> {
  const numbers = ((await readdir(folder).catch(nullIfMissing)) ?? [])
    .flatMap((name) => /^(\d{1,15})\.journal$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  for (const number of numbers) {
    const file = await readFile(join(folder, `${number}.journal`));
    for (const { runId, ...write } of recordsIn(number, file)) await files.restore(runId, [write]);
  }
}

/** The complete records. A record that a crash cut off, and everything after it, was never acknowledged. */
function* recordsIn(part: number, file: Buffer) {
  for (let at = 0; at < file.length; ) {
    const end = file.subarray(at, at + framingAtMost).indexOf(0x0a);
    const match = end < 0 ? null : framing.exec(file.toString('latin1', at, at + end));
    if (!match) return;
    const [, runId = '', offset = '', length = '', sum = ''] = match;
    const from = at + end + 1;
    const bytes = file.subarray(from, from + Number(length));
    const expected = crc32(bytes, crc32(`${part} ${runId} ${offset} ${length}`));
    if (bytes.length !== Number(length) || expected.toString(16).padStart(8, '0') !== sum) return;
    yield { runId, offset: Number(offset), bytes };
    at = from + bytes.length;
  }
}

type Archive = NonNullable<StoredRun['archive']>;

/** Null if the index cannot be read or describes another state of the archive: the archive is read instead. */
async function readIndex(path: string, archive: Archive): Promise<RunRow | null> {
  try {
    const { version, changedAtMs, ...index } = JSON.parse(await readFile(path, 'utf8'));
    // Copying a file keeps its time only to about a microsecond.
    const fits = index.bytes === archive.bytes && Math.abs(changedAtMs - archive.changedAtMs) < 1;
    if (!fits || (version !== 1 && version !== 2)) return null;
    const row = { ...index, recorded: index.recorded ?? false } as RunRow;
    if (version === 2) return row;
    const firstWrittenAtMs = Math.round(Math.min(archive.createdAtMs, archive.changedAtMs));
    const unstamped = { receivedAt: null, endedAt: null, publisher: null, trust: 'local', late: 0 } as const;
    return { ...row, firstWrittenAtMs, head: { ...row.head, ...unstamped } };
  } catch {
    return null;
  }
}

/** The first line names the suite; each other line is one run, with the test names that are new in it. */
async function adoptHistory(path: string, database: RunsDatabase): Promise<void> {
  const history = new HistoryRows(database, Date.now, () => undefined);
  const { file } = await openSafeFile(path);
  let suite: HistorySuite | null = null;
  for await (const lines of readLines(file.createReadStream({ highWaterMark: 256 * 1024 }))) {
    for (const line of lines) {
      if (suite === null) suite = readSuite(line);
      else adoptRun(line, suite, history);
    }
  }
}

function readSuite(line: string): HistorySuite {
  const { repository, suite, repositoryName } = JSON.parse(line);
  return { repository, suite, repositoryName };
}

/** Skips a line that a crash cut off. */
function adoptRun(line: string, suite: HistorySuite, history: HistoryRows): void {
  try {
    const { v, runId, at, branch = null, commit = null, base, names, tests, reasons = [] } = JSON.parse(line);
    if (v !== 1 || typeof runId !== 'string' || typeof at !== 'string') return;
    const run = { runId, at, branch, commit, tests: Int32Array.from(tests), reasons: new Map<number, string>(reasons) };
    history.record(suite, run, new Map(names.map((name: string, index: number) => [base + index, name])));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
}
