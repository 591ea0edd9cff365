import { readdir, readFile, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const send = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });
const board = async (service: Started): Promise<string[]> =>
  (await service.console('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId).sort();
const files = async (service: Started, folder = ''): Promise<string[]> =>
  (await readdir(join(service.dataPath, 'runs', folder))).filter((name) => name.endsWith('.ndjson')).sort();
const day = 24 * 60 * 60_000;
const at = (days: number) => new Date(Date.UTC(2026, 0, 1, 8) - days * day).toISOString();

verifies(
  [
    'eject:one',
    'eject:live-one-409',
    'eject:moves-archive',
    'eject:twice-keeps-both',
    'ingest:recreates-run',
    'run:unknown-404',
  ],
  'an ended run leaves the board, its archive is kept, and its next event begins anew',
  async () => {
    await using service = await start();
    await send(service, smallRun('live', { finished: false }));
    expect(await service.console('DELETE', '/api/runs/live')).toMatchObject({
      status: 409,
      body: { code: 'run_live' },
    });
    await send(service, smallRun('r1'));
    const archived = await readFile(join(service.dataPath, 'runs', 'r1.ndjson'), 'utf8');
    expect((await service.console('DELETE', '/api/runs/R1')).status).toBe(204);
    const ejected = await readFile(join(service.dataPath, 'runs', 'ejected', 'r1.ndjson'), 'utf8');
    expect(ejected).toBe(archived);
    expect([await files(service), await board(service)]).toEqual([['live.ndjson'], ['live']]);
    for (const path of ['/api/runs/r1', '/api/runs/r1/export?format=ndjson']) {
      expect(await service.console('GET', path)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    }
    expect((await service.console('DELETE', '/api/runs/r1')).status).toBe(404);
    await send(service, [{ type: 'scenario_finished', runId: 'r1', uid: 'A/b', outcome: 'CleanPass', attempts: 1 }]);
    expect((await service.console('GET', '/api/runs/r1')).body.run).toMatchObject({ state: 'running', scenarios: 1 });
    await send(service, smallRun('r1'));
    expect((await service.console('DELETE', '/api/runs/r1')).status).toBe(204);
    expect(await files(service, 'ejected')).toEqual(['r1.ndjson', 'r1~2.ndjson']);
  },
);

verifies(
  ['run:unknown-404', 'eject:moves-archive'],
  'a run whose archive is on its way out is not there, rather than empty',
  async () => {
    await using first = await start();
    await send(first, smallRun('r1', { outcomes: ['Failed'] }));
    await first.stop();
    await using service = await start({ home: first.home });
    expect(await board(service)).toEqual(['r1']);
    const runs = join(service.dataPath, 'runs');
    await rename(join(runs, 'r1.ndjson'), join(runs, 'ejected', 'r1.ndjson'));
    for (const path of ['', '/export', '/export?format=junit', '/export?format=ndjson']) {
      const answer = await service.console('GET', `/api/runs/r1${path}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    }
    expect((await service.console('DELETE', '/api/runs/r1')).status).toBe(204);
    expect([await board(service), await files(service, 'ejected')]).toEqual([[], ['r1.ndjson']]);
  },
);

verifies(
  [
    'eject:many',
    'eject:many-without-query',
    'eject:older-than',
    'eject:older-than-forms',
    'eject:older-than-strict',
    'eject:except-run-id',
    'eject:unknown-except',
    'eject:many-never-live',
  ],
  'many are ejected by age and by exception, and exactly those are named',
  async () => {
    const fill = async () => {
      const service = await start();
      for (const days of [1, 2, 7, 8]) await send(service, smallRun(`d${days}`, { startedAt: at(days) }));
      await send(service, smallRun('live', { startedAt: at(30), finished: false }));
      await send(service, [{ type: 'run_finished', runId: 'unstarted', exitCode: 0 }]);
      return service;
    };
    // The clock is an hour after the runs' own hour, so that seven days ago is an hour after d7 began.
    for (const [query, taken] of [
      ['', ['d1', 'd2', 'd7', 'd8', 'unstarted']],
      ['?olderThan=7d', ['d7', 'd8']],
      ['?olderThan=P1W', ['d7', 'd8']],
      ['?olderThan=7.00:00:00', ['d7', 'd8']],
      [`?olderThan=${at(7)}`, ['d8']],
      ['?olderThan=2025-12-25T09:00:00%2B01:00', ['d8']],
      ['?olderThan=0s', ['d1', 'd2', 'd7', 'd8']],
      ['?olderThan=36h&exceptRunId=D2&exceptRunId=d8', ['d7']],
      ['?olderThan=36h&exceptRunId=d2,d8,mine', ['d7']],
    ] as const) {
      await using service = await fill();
      const { status, body } = await service.console('DELETE', `/api/runs${query}`);
      expect([query, status, body.count, [...body.runIds].sort()]).toEqual([query, 200, taken.length, taken]);
      expect(await board(service)).toEqual(
        ['d1', 'd2', 'd7', 'd8', 'live', 'unstarted'].filter((runId) => !(taken as readonly string[]).includes(runId)),
      );
    }
  },
);

verifies(
  ['eject:bad-older-than-400', 'eject:bad-except-400'],
  'a typo never ejects what was meant to stay',
  async () => {
    await using service = await start();
    await send(service, smallRun('r1'));
    const bad = [
      'olderThan=last+week',
      'olderThan=',
      'olderThan=7',
      'olderThan=P',
      'olderThan=-7d',
      'olderThan=2026-13-01T00:00:00Z',
    ];
    for (const query of [...bad, 'exceptRunId=', 'exceptRunId=a,,b', 'exceptRunID=r1', 'olderthan=7d']) {
      expect([query, (await service.console('DELETE', `/api/runs?${query}`)).status]).toEqual([query, 400]);
    }
    for (const call of [service.console, service.call]) {
      for (const path of ['/api/runs/', '/api/runs//', '/api/runs/?olderThan=0s']) {
        expect([path, (await call('DELETE', path)).status]).toEqual([path, 404]);
      }
    }
    expect(await board(service)).toEqual(['r1']);
  },
);

verifies(
  [
    'retention:ended-runs-ejected',
    'retention:ejected-deleted-later',
    'retention:only-age-deletes',
    'retention:defaults',
    'retention:swept',
  ],
  'old archives are ejected, and deleted only as long after that',
  async () => {
    await using service = await start();
    const { ejector } = service.running.console.runs.runs;
    await send(service, [...smallRun('ended'), ...smallRun('live', { finished: false })]);
    service.clock.advance(14 * day - 1000);
    await ejector.sweepAge();
    expect(await board(service)).toEqual(['ended', 'live']);
    service.clock.advance(2000);
    await ejector.sweepAge();
    expect([await board(service), await files(service, 'ejected')]).toEqual([['live'], ['ended.ndjson']]);
    service.clock.advance(14 * day - 2000);
    await ejector.sweepAge();
    expect(await files(service, 'ejected')).toEqual(['ended.ndjson']);
    service.clock.advance(4000);
    await ejector.sweepAge();
    expect(await files(service, 'ejected')).toEqual([]);
    expect(await files(service)).toEqual(['live.ndjson']);
  },
);

verifies(
  ['retention:runs-ejects', 'retention:runs-when', 'retention:zero-turns-off'],
  'a board keeps so many ended runs of a suite',
  async () => {
    const fill = async (service: Started) => {
      for (const days of [5, 4, 3, 2, 1]) await send(service, smallRun(`d${days}`, { startedAt: at(days) }));
      await send(service, smallRun('other', { suite: 'other', startedAt: at(9) }));
      await send(service, smallRun('live', { startedAt: at(9), finished: false }));
      await service.running.console.runs.runs.ejector.sweepBoard();
    };
    await using few = await start({ settings: { RetentionRuns: '2' } });
    await fill(few);
    expect(await board(few)).toEqual(['d1', 'd2', 'live', 'other']);
    expect(await files(few, 'ejected')).toEqual(['d3.ndjson', 'd4.ndjson', 'd5.ndjson']);
    await using every = await start({ settings: { RetentionRuns: '0', RetentionDays: '0' } });
    await fill(every);
    every.clock.advance(1000 * day);
    await every.running.console.runs.runs.ejector.sweepAge();
    expect(await board(every)).toHaveLength(7);
  },
);

verifies(
  ['eject:moves-archive'],
  'after a crash between any two steps of an eject the archive is in one place',
  async () => {
    await using first = await start();
    await send(first, [...smallRun('timed'), ...smallRun('moved')]);
    await first.stop();
    const folder = join(first.dataPath, 'runs');
    // After the first step it only has a new time; after the second it is in its new place, and its row still exists.
    await utimes(join(folder, 'timed.ndjson'), 0, 0);
    await rename(join(folder, 'moved.ndjson'), join(folder, 'ejected', 'moved.ndjson'));
    await using second = await start({ home: first.home, settings: { RetentionDays: '0' } });
    expect(await board(second)).toEqual(['timed']);
    expect([await files(second), await files(second, 'ejected')]).toEqual([['timed.ndjson'], ['moved.ndjson']]);
  },
);

verifies(
  ['retention:runs-ejects', 'orphan:brought-back'],
  'a run that is still being sent while the service restarts is not ejected as if its publisher were gone',
  async () => {
    const settings = { RetentionRuns: '1', RetentionDays: '0' };
    await using first = await start({ settings });
    await send(first, smallRun('slow', { startedAt: at(2), finished: false, outcomes: ['CleanPass', 'CleanPass'] }));
    await send(first, smallRun('fast', { startedAt: at(1) }));
    await first.stop();
    await using second = await start({ home: first.home, settings });
    const { runs } = second.running.console.runs;
    await runs.ready;
    await runs.ejector.sweepBoard();
    expect(await board(second)).toEqual(['fast', 'slow']);
    await send(second, smallRun('slow', { startedAt: at(2), outcomes: ['CleanPass', 'CleanPass'] }).slice(-1));
    const { body } = await second.console('GET', '/api/runs/slow');
    expect(body.run).toMatchObject({ scenarios: 2, passed: 2, green: true });
  },
);
