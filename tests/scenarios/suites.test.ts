import { expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

verifies(
  'suites:list',
  'suites are listed with verdict and length of their last 50 runs, the last received first',
  async () => {
    await using service = await start();
    const send = (runId: string, more: object) =>
      service.console('POST', '/api/ingest', { events: smallRun(runId, more) });
    for (let n = 1; n <= 52; n++)
      await send(`unit-${n}`, { suite: 'unit', outcomes: [n === 52 ? 'Failed' : 'CleanPass'] });
    await send('slow-1', { suite: 'slow', finished: false });
    const { body } = await service.console('GET', '/api/suites');
    const told = body.map(({ suite, runs }: { suite: string; runs: object[] }) => [suite, runs.length]);
    expect(told).toEqual([
      ['slow', 1],
      ['unit', 50],
    ]);
    expect(body[0].runs).toMatchObject([{ runId: 'slow-1', state: 'running', green: null, durationMs: null }]);
    expect(body[1].runs.slice(0, 2)).toMatchObject([
      { runId: 'unit-52', state: 'finished', green: false, durationMs: expect.any(Number) },
      { runId: 'unit-51', green: true },
    ]);
    expect((await service.console('GET', '/api/suites?suite=slow')).body).toHaveLength(1);
    const page = await service.console('GET', '/api/suites?limit=1');
    expect(page.body).toMatchObject([{ suite: 'slow' }]);
  },
);

verifies('suites:badge', 'a suite has a badge and a picture of its last runs, the same on both ports', async () => {
  await using service = await start();
  await service.console('POST', '/api/ingest', { events: smallRun('r1', { suite: 'unit' }) });
  await service.console('POST', '/api/ingest', { events: smallRun('r2', { suite: 'unit', outcomes: ['Failed'] }) });
  const badge = await service.console('GET', '/api/suites/badge?suite=unit');
  expect(badge.headers.get('content-type')).toBe('image/svg+xml');
  expect(badge.text).toContain('unit: failed');
  expect((await service.call('GET', '/api/suites/badge?suite=unit')).text).toBe(badge.text);
  const runs = await service.call('GET', '/api/suites/badge?suite=unit&look=runs');
  expect(runs.text).toContain('1 of the last 2 runs failed');
});
