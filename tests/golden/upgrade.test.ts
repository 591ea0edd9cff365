import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { iso } from '../../packages/service/src/kernel/clock.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { asServedNow, servedBy, settings } from './served.ts';

const releases = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

// A member may be added to an answer, and nothing else may differ.
for (const { name } of releases) {
  verifies('json:members-stay', `what release ${name} wrote is served as that release served it`, async () => {
    const folder = join(import.meta.dirname, name);
    const home = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-'));
    const runs = join(home, '.signalbox/runs');
    try {
      cpSync(join(folder, 'data'), join(home, '.signalbox'), { recursive: true });
      for (const index of readdirSync(join(runs, '.index'))) keepTime(runs, index);
      const clock = createSettableClock(Date.UTC(2026, 0, 1, 9, 3));
      await using service = await start({ home, settings, clock });
      expect(service.logged()).toMatch(/reading the runs of an earlier release[\s\S]*"from":\d,"step":3,"to":3/);
      const served = JSON.parse(readFileSync(join(folder, 'served.json'), 'utf8'), asServedNow);
      expect(await servedBy(service)).toMatchObject(served);
      // Later releases record when a run arrived; for the first release its archive shows that.
      const runsOfFirst = name === '0.1.0' ? (await service.call('GET', '/api/runs')).body : [];
      for (const { runId, receivedAt } of runsOfFirst)
        expect(receivedAt, runId).toBe(iso(Math.round(statSync(join(runs, `${runId}.ndjson`)).mtimeMs)));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
}

/** A checkout does not preserve the time of a file, and an index is valid only for the file of one time. */
function keepTime(runs: string, index: string): void {
  const { changedAtMs } = JSON.parse(readFileSync(join(runs, '.index', index), 'utf8'));
  utimesSync(join(runs, index.replace(/json$/, 'ndjson')), changedAtMs / 1000, changedAtMs / 1000);
}
