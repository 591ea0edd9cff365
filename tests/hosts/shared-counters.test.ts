import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';

const script = join(import.meta.dirname, 'count-up.ts');
const calls = 10;

async function host(url: string, name: string): Promise<{ answered: number; gaps: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, name, String(calls)]);
  return JSON.parse(stdout);
}

/** Reads the whole log again and again, like a reader without memory. */
async function watch(url: string, isOver: () => boolean): Promise<{ looks: number; gaps: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let looks = 0;
  let gaps = 0;
  while (!isOver()) {
    const { rows } = await client.query('SELECT count(*) = coalesce(max(sequence), 0) AS dense FROM signalbox.events');
    looks += 1;
    if (!rows[0].dense) gaps += 1;
  }
  await client.end();
  return { looks, gaps };
}

test('two processes, 64 clients each, on the same streams: no update is lost and no reader sees a gap', async () => {
  const url = await cloneDatabase();
  let over = false;
  const watched = watch(url, () => over);
  const hosts = await Promise.all([host(url, 'ada'), host(url, 'bob')]);
  over = true;
  expect(hosts).toEqual(Array(2).fill({ answered: 64 * calls, gaps: 0 }));
  const { looks, gaps } = await watched;
  expect(gaps).toBe(0);
  expect(looks).toBeGreaterThan(20);

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    SELECT stream, count(*)::int AS events, max(version) AS version, max((data ->> 'count')::int) AS count
    FROM signalbox.events GROUP BY stream ORDER BY stream`);
  await client.end();
  const each = (64 * calls * 2) / 4;
  const counter = (number: number) => ({ stream: `counter-${number}`, events: each, version: each, count: each });
  expect(rows).toEqual([0, 1, 2, 3].map(counter));
});
