import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSettableClock } from '../../packages/service/src/store/settable-clock.ts';
import { start } from '../start.ts';
import { servedBy, settings } from './served.ts';

const releases = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

// A member may be added to what was served, and nothing else may differ.
test.each(releases.map(({ name }) => name))(
  'what release %s wrote is served as that release served it',
  async (name) => {
    const folder = join(import.meta.dirname, name);
    const home = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-'));
    try {
      cpSync(join(folder, 'data'), join(home, '.signalbox'), { recursive: true });
      for (const name of readdirSync(join(home, '.signalbox/runs/.index')))
        keepTime(join(home, '.signalbox/runs'), name);
      const clock = createSettableClock(Date.UTC(2026, 0, 1, 9, 3));
      await using service = await start({ home, settings, clock });
      expect(await servedBy(service)).toMatchObject(JSON.parse(readFileSync(join(folder, 'served.json'), 'utf8')));
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);

/** A checkout does not keep the time of a file, and an index tells of the file of one time. */
function keepTime(runs: string, index: string): void {
  const { changedAtMs } = JSON.parse(readFileSync(join(runs, '.index', index), 'utf8'));
  utimesSync(join(runs, index.replace(/json$/, 'ndjson')), changedAtMs / 1000, changedAtMs / 1000);
}
