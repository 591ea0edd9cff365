import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-group-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('64 concurrent writers need at most 0.15 COMMITs per durable append', async () => {
  const log = openSqliteLog({ path: join(folder, 'events.sqlite'), clock: systemClock });
  const writers = Array.from({ length: 64 }, async (_, writer) => {
    const events = [{ type: 'appended', data: null, by: `writer ${writer}` }];
    for (let turn = 0; turn < 50; turn += 1) {
      // Callers are separate sockets, not one microtask: each waits for its own turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, (writer * 7 + turn * 3) % 5));
      await log.commit(() => ({ append: [{ stream: `s${writer % 16}`, events }], answer: () => null }));
    }
  });
  await Promise.all(writers);
  const { commits, appends } = log.stats();
  await log.close();
  expect(appends).toBe(64 * 50);
  expect(commits / appends).toBeLessThanOrEqual(0.15);
});
