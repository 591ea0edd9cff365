import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { start } from '../start.ts';

const day = 24 * 60 * 60_000;
const main = join(import.meta.dirname, '../../packages/service/dist/cli/bin.js');
const run = promisify(execFile);

test('a plan archived longer than ArchiveDays leaves the board at a start and is shown by plans show --archived', async () => {
  const clock = createSettableClock();
  await using first = await start({ clock });
  await first.call('POST', '/api/plans', { plan: 'Old', title: 'Long over', nodes: [{ id: 'a', title: 'First' }] });
  await first.call('POST', '/api/plans', { plan: 'kept', nodes: [{ id: 'a' }] });
  expect((await first.call('DELETE', '/api/plans/old')).status).toBe(200);
  await first.stop();

  const settings = { ArchiveDays: '30' };
  const later = (days: number) => createSettableClock(clock.wall() + days * day);
  await using soon = await start({ home: first.home, clock: later(29), settings });
  expect((await soon.call('GET', '/api/plans/old')).status).toBe(200);
  await soon.stop();
  await using late = await start({ home: first.home, clock: later(31), settings });
  expect((await late.call('GET', '/api/plans/old')).status).toBe(404);
  const moved = await late.call('GET', '/api/plans/old/history');
  expect([moved.status, moved.body.detail]).toEqual([404, expect.stringContaining('plans show old --archived')]);
  expect((await late.call('GET', '/api/plans/kept')).status).toBe(200);
  expect(late.logged()).toContain('plans older than Service:ArchiveDays were moved out of the log');

  const show = (slug: string, ...more: string[]) =>
    run(process.execPath, [main, 'plans', 'show', slug, '--archived', ...more], {
      env: { ...process.env, HOME: first.home, Service__DataPath: first.dataPath },
    });
  const { stdout } = await show('old');
  expect(stdout).toMatch(/^Old {2}Long over\n\nNODE .*\na +First +unbound\n\n.* created the plan with 1 node\.\n/);
  expect(stdout).toContain('archived the plan.');
  expect(JSON.parse((await show('OLD', '--json')).stdout).map(({ type }: { type: string }) => type)).toEqual([
    'plan_created',
    'plan_archived',
  ]);
  await expect(show('kept')).rejects.toThrow('The archive here has no plan kept.');
});
