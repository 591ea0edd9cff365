import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { withClient } from '../postgres/dump.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const reads = ['/api/plans', '/api/plans/shop', '/api/plans/shop/status', '/api/plans/shop/history'];
const note = 'a\ttab, a \\ backslash, a\nline, “quotes”, \\N and \\.';
const plain = join(folder, 'plain.sql');
let before: unknown[] = [];

/** Writes the table like `pg_dump -n signalbox`: the rows come from PostgreSQL's own COPY. */
async function dumpEvents(url: string, file: string): Promise<void> {
  chmodSync(folder, 0o777);
  const rows = join(folder, 'rows');
  const columns = await withClient(url, async (client) => {
    const { fields } = await client.query('SELECT * FROM signalbox.events LIMIT 0');
    const names = fields.map(({ name }) => `"${name}"`).join(', ');
    await client.query(`COPY signalbox.events (${names}) TO '${rows}'`);
    return fields.map(({ name }) => name).join(', ');
  });
  const text = readFileSync(rows, 'utf8');
  writeFileSync(
    file,
    `--\n-- PostgreSQL database dump\n--\n\nCOPY signalbox.events (${columns}) FROM stdin;\n${text}\\.\n\n`,
  );
}

beforeAll(async () => {
  const Store = await cloneDatabase();
  await using service = await start({ settings: { Store, HostName: 'one' } });
  await service.call('POST', '/api/plans?by=ada', {
    plan: 'shop',
    nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }],
  });
  await service.call('POST', '/api/plans/shop/nodes/a/claim', { agent: 'ada' });
  await service.call('POST', '/api/plans/shop/nodes/a/report', { agent: 'ada', note });
  await service.call('POST', '/api/plans/shop/nodes/a/release', { agent: 'ada' });
  before = await Promise.all(reads.map(async (path) => (await service.call('GET', path)).body));
  await dumpEvents(Store, plain);
}, 120_000);

async function recovered(dump: string) {
  const home = mkdtempSync(join(folder, 'home-'));
  await using command = signalbox(['recover', dump, '--json'], {}, home);
  expect([await command.ended, command.err()]).toEqual([0, '']);
  return { home, report: JSON.parse(command.out()) };
}

test('a dump of PostgreSQL becomes a data path that answers as the database did', async () => {
  const { home, report } = await recovered(plain);
  expect(report).toMatchObject({ lost: [], dropped: [], plans: [] });
  await using service = await start({ home });
  expect(await Promise.all(reads.map(async (path) => (await service.call('GET', path)).body))).toEqual(before);
});

test('the file of a store alone is recovered, too', async () => {
  const first = await recovered(plain);
  const { home, report } = await recovered(join(first.home, '.signalbox/signalbox.sqlite'));
  expect(report).toMatchObject({ kept: first.report.kept, lost: [] });
  await using service = await start({ home });
  expect((await service.call('GET', '/api/plans/shop/history')).body).toEqual(before.at(-1));
});

test('an event of a dump that was changed, or breaks off, is named and costs no other', async () => {
  const text = readFileSync(plain, 'utf8');
  const line = text.split('\n').find((one) => one.includes('backslash')) ?? '';
  const sequence = Number(line.split('\t')[0]);
  for (const bad of [line.replace('quotes', 'quites'), line.slice(0, line.indexOf('backslash'))]) {
    const damaged = join(folder, 'damaged.sql');
    writeFileSync(
      damaged,
      text.replace(line, () => bad),
    );
    const { home, report } = await recovered(damaged);
    expect(report).toMatchObject({ lost: [{ sequence }], plans: ['shop'], claims: ['shop/a'] });
    await using service = await start({ home });
    expect((await service.call('GET', '/api/plans/shop')).body).toMatchObject({ slug: 'shop' });
    expect((await service.call('GET', '/api/plans/shop/history')).text).not.toContain('backslash');
  }
});
