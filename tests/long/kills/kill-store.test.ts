import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../postgres/clone.ts';
import { rounds } from '../../rounds.ts';
import { killRounds } from './kill-rounds.ts';

const many = rounds(20, 200);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

test(`sqlite: kill -9 in the middle of concurrent appends loses nothing that was answered, in ${many} rounds`, async () => {
  expect(await killRounds(join(folder, 'events.sqlite'), many)).toEqual([]);
}, 3_600_000);

test(`postgres: kill -9 in the middle of concurrent appends loses nothing that was answered, in ${many} rounds`, async () => {
  expect(await killRounds(await cloneDatabase(), many)).toEqual([]);
}, 3_600_000);
