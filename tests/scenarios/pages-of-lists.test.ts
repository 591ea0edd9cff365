import { expect, test } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { start } from '../start.ts';

test('a list over REST is read page by page along its Link, without gaps or repeats', async () => {
  await using service = await start();
  const startedAt = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
  const begin = (number: number) => ({ type: 'run_started', runId: `r${number}`, startedAt: startedAt(number) });
  await service.console('POST', '/api/ingest', { events: Array.from({ length: 25 }, (_, number) => begin(number)) });
  for (const ask of [service.call, service.console]) {
    const found: string[] = [];
    let path: string | undefined = '/api/runs?limit=10&state=running';
    while (path) {
      const { body, headers } = await ask('GET', path);
      expect(headers.get('total-count')).toBe(String(25 + (found.length > 0 && ask === service.call ? 1 : 0)));
      found.push(...body.map(({ runId }: { runId: string }) => runId));
      path = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      if (found.length === 10 && ask === service.call)
        await service.console('POST', '/api/ingest', { events: [begin(99)] });
      if (found.length === 10 && ask === service.console) await service.console('DELETE', '/api/runs/r99');
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((runId) => runId !== 'r99')).toEqual(
      Array.from({ length: 25 }, (_, number) => `r${24 - number}`),
    );
    if (ask === service.call) {
      await service.console('POST', '/api/ingest', { events: [{ type: 'run_finished', runId: 'r99', exitCode: 0 }] });
    }
  }
  expect((await service.call('GET', '/api/runs?cursor=nonsense')).body).toMatchObject({
    status: 400,
    errors: [{ path: 'cursor' }],
  });
});

test('the history of a plan has pages, too', async () => {
  await using service = await start();
  await service.call('POST', '/api/plans', { plan: 'p' });
  for (const id of ['a', 'b', 'c']) await service.call('POST', '/api/plans/p/nodes', { id });
  const first = await service.call('GET', '/api/plans/p/history?limit=3');
  const next = /<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await service.call('GET', next);
  expect([first.body.length, second.body.length, second.headers.get('link')]).toEqual([3, 1, null]);
});

test('runs and suites are found by part of their names and by failure, the same on both ports', async () => {
  await using service = await start();
  const send = (runId: string, more: object) =>
    service.console('POST', '/api/ingest', { events: smallRun(runId, { repository: '/src/shop', ...more }) });
  await send('aaa-1', { suite: 'unit', outcomes: ['Failed'] });
  await send('aaa-2', { suite: 'unit' });
  await send('bbb-1', { suite: 'Browser', outcomes: ['Failed'] });
  await send('bbb-2', { suite: 'Browser', finished: false });
  for (const ask of [service.call, service.console]) {
    const runs = async (query: string) =>
      (await ask('GET', `/api/runs?${query}`)).body.map(({ runId }: { runId: string }) => runId).sort();
    const suites = async (query: string) =>
      (await ask('GET', `/api/suites?${query}`)).body.map(({ suite }: { suite: string }) => suite);
    expect(await runs('search=BROW')).toEqual(['bbb-1', 'bbb-2']);
    expect(await runs('search=shop&failed=true')).toEqual(['aaa-1', 'bbb-1']);
    expect(await runs('failed=false&suite=unit')).toEqual(['aaa-2']);
    expect(await runs('search=nowhere')).toEqual([]);
    expect(await suites('failed=true')).toEqual(['Browser']);
    expect(await suites('failed=false')).toEqual(['unit']);
    expect(await suites('state=running')).toEqual(['Browser']);
    expect(await suites('search=aaa-2')).toEqual(['unit']);
    expect((await ask('GET', '/api/runs?failed=perhaps')).body).toMatchObject({ status: 400 });
  }
});
