import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLatestVerdicts, type Verdict } from '../../packages/event-model/src/verdicts.ts';
import { checkRunsFile, salvageRuns } from '../../packages/service/src/console/runs/io/check-runs-file.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

let folder: string;
let warned: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-verdicts-'));
  warned = [];
});
afterEach(() => rm(folder, { recursive: true }));

const warn = (details: object, text: string) => void warned.push(`${text} ${JSON.stringify(details)}`);
const open = (dataPath: string) => openRunStore({ dataPath, clock: createSettableClock(), warn });

async function verdictsIn(dataPath: string): Promise<Verdict[]> {
  const store = await open(dataPath);
  const verdicts = [...store.verdicts.load()];
  await store.close();
  return verdicts;
}

function onDatabase<Answer>(dataPath: string, work: (database: DatabaseSync) => Answer): Answer {
  const database = new DatabaseSync(join(dataPath, 'runs.sqlite'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** In the format of an earlier release: one line per change, some of them older than what was there. */
const lines = Array.from({ length: 1200 }, (_, change) => {
  const at = new Date(Date.UTC(2026, 0, 1, 9) + ((change * 7919) % 1200) * 1000).toISOString();
  const [identity, runId] = [`Cart/total ${(change * 31) % 500}`, `run-${change % 40}`];
  const touchedTypes = change % 3 === 0 ? null : [{ name: 'Cart', fullName: 'Shop.Cart', assemblyName: 'Shop' }];
  const receivedAt = change % 4 === 0 ? {} : { receivedAt: at };
  return {
    identity,
    outcome: change % 5 === 0 ? 'Failed' : 'CleanPass',
    at,
    runId,
    ...receivedAt,
    touchedTypes,
  } as const;
});
const newest = createLatestVerdicts();
for (const line of lines) newest.load(line);
const expected = [...newest.all()];
const textOf = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join('');

async function withEarlierFile(text = textOf(lines)): Promise<string> {
  const dataPath = join(folder, 'data');
  await mkdir(dataPath);
  await writeFile(join(dataPath, 'verdicts.ndjson'), text);
  return dataPath;
}

test('the verdicts of an earlier release are taken over once, and their file is set aside', async () => {
  const dataPath = await withEarlierFile();
  expect(await verdictsIn(dataPath)).toEqual(expected);
  expect(await readdir(dataPath)).not.toContain('verdicts.ndjson');
  expect(await readFile(join(dataPath, 'runs', 'before-0.3', 'verdicts.ndjson'), 'utf8')).toBe(textOf(lines));
  expect(await verdictsIn(dataPath)).toEqual(expected);
  expect(warned).toEqual([]);
});

test('a crash at any step of taking them over loses none and doubles none', async () => {
  const dataPath = await withEarlierFile();
  await verdictsIn(dataPath);
  for (const [step, kept] of [0, 1, 100, 499, 500].entries()) {
    const disk = join(folder, `disk-${step}`);
    await cp(dataPath, disk, { recursive: true });
    // As many rows were written as remain; the file had not been moved yet.
    onDatabase(disk, (database) =>
      database.exec(
        `DELETE FROM newest_verdicts WHERE id NOT IN (SELECT id FROM newest_verdicts ORDER BY id LIMIT ${kept})`,
      ),
    );
    await writeFile(join(disk, 'verdicts.ndjson'), textOf(lines));
    if (step % 2 === 0) await rm(join(disk, 'runs', 'before-0.3'), { recursive: true });
    expect(await verdictsIn(disk)).toEqual(expected);
    expect(await readdir(disk)).not.toContain('verdicts.ndjson');
  }
});

test('a file that an earlier release wrote in between changes only what is newer in it', async () => {
  const dataPath = await withEarlierFile();
  await verdictsIn(dataPath);
  const [old, ...others] = expected as [Verdict, ...Verdict[]];
  const later = { ...old, outcome: 'Aborted', receivedAt: '2026-02-01T00:00:00.000Z' } as const;
  const earlier = others.map(
    (verdict) => ({ ...verdict, outcome: 'Aborted', receivedAt: '2025-01-01T00:00:00.000Z' }) as const,
  );
  await writeFile(join(dataPath, 'verdicts.ndjson'), textOf([...earlier, later]));
  expect(await verdictsIn(dataPath)).toEqual([...others, later]);
});

test('damaged lines are skipped and counted, and the others are taken over', async () => {
  const [first, second] = expected as [Verdict, Verdict];
  const damaged = ['{"identity":"F/t","outc', 'null', JSON.stringify({ ...first, outcome: 'Great' }), '\0\0\0'];
  const dataPath = await withEarlierFile(`${textOf([first])}${damaged.join('\n')}\n\n${textOf([second])}{"ident`);
  expect(await verdictsIn(dataPath)).toEqual([first, second]);
  expect(warned).toEqual([`lines of verdicts.ndjson could not be read and were skipped {"skipped":5}`]);
});

test('a database of version 1 gets the table of verdicts and keeps everything else; that of a later release is refused', async () => {
  const dataPath = join(folder, 'data');
  await mkdir(dataPath);
  const before = await open(dataPath);
  const suite = { repository: '/src/shop', suite: 'unit', repositoryName: null };
  const run = { runId: 'r1', at: '2026-01-01T09:00:00.000Z', branch: null, commit: null, reasons: new Map() };
  await before.append('r1', ['{"type":"run_started","runId":"r1"}\n'], { publisher: 'ci', trust: 'named' });
  before.history.record(suite, { ...run, tests: Int32Array.of(0, 0, 5) }, new Map([[0, 'Cart/total']]));
  await before.close();
  onDatabase(dataPath, (database) =>
    database.exec('DROP TABLE newest_verdicts; ALTER TABLE late DROP COLUMN sum; PRAGMA user_version = 1'),
  );
  // Checks a backup from before the first start of this version.
  expect(checkRunsFile(join(dataPath, 'runs.sqlite'))).toBeNull();
  expect(salvageRuns(join(dataPath, 'runs.sqlite'), join(folder, 'copy'), join(folder, 'salvaged'))).toBe(0);
  const migrated = await open(dataPath);
  expect(await migrated.stored()).toMatchObject([{ runId: 'r1', stamp: { publisher: 'ci', trust: 'named' } }]);
  expect([...migrated.history.names(suite).values()]).toEqual(['Cart/total']);
  const [verdict] = expected as [Verdict];
  migrated.verdicts.put(verdict);
  await migrated.close();
  expect(await verdictsIn(dataPath)).toEqual([verdict]);
  expect(warned).toEqual([]);
  onDatabase(dataPath, (database) => database.exec('CREATE TABLE later (id); PRAGMA user_version = 3'));
  await expect(open(dataPath)).rejects.toThrow('runs.sqlite was written by a later release of Signalbox');
});

test('what can be read of the verdicts, and events that came too late, are salvaged from a database with a damaged page', async () => {
  const dataPath = join(folder, 'data');
  await mkdir(dataPath);
  const store = await open(dataPath);
  for (const verdict of expected) store.verdicts.put(verdict);
  await store.close();
  onDatabase(dataPath, (database) => database.exec("INSERT INTO late (run, event) VALUES ('r1', '{}')"));
  const file = join(dataPath, 'runs.sqlite');
  const pages = onDatabase(dataPath, (database) =>
    database
      .prepare("SELECT pageno FROM dbstat WHERE name = 'newest_verdicts' AND pagetype = 'leaf' ORDER BY path")
      .all(),
  ).map(({ pageno }) => Number(pageno));
  expect(pages.length).toBeGreaterThan(4);
  const whole = await readFile(file);
  const pageBytes = 4096;
  const damages = {
    'the header of a page': (bytes: Buffer, start: number) => bytes.fill(0xff, start, start + 8),
    'a row': (bytes: Buffer, start: number) => {
      const place = bytes.indexOf('CleanPass', start);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    const bytes = Buffer.from(whole);
    damage(bytes, ((pages[2] ?? 0) - 1) * pageBytes);
    await writeFile(file, bytes);
    const to = join(folder, what, 'runs.sqlite');
    await mkdir(join(folder, what));
    expect([what, salvageRuns(file, join(folder, 'copy'), to)]).toEqual([what, 1]);
    const late = onDatabase(join(folder, what), (database) => database.prepare('SELECT run, event FROM late').all());
    expect(late).toEqual([{ run: 'r1', event: '{}' }]);
    const salvaged = await verdictsIn(join(folder, what));
    expect(salvaged).toEqual(expected.filter(({ identity }) => salvaged.some((one) => one.identity === identity)));
    const lost = expected.length - salvaged.length;
    expect([what, lost]).toEqual([what, what === 'a row' ? 1 : expect.any(Number)]);
    expect(lost).toBeLessThan(60);
  }
});
