import { expect, test } from 'vitest';
import { playDay } from '../coordination/team-day.ts';
import { smallRun } from '../recorded-run.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';
import { startClosed } from '../tokens.ts';
import { newMcpClient } from '../transports.ts';

test("a lead's eight questions are answered in one call each, right against what was done", async () => {
  await using service = await start();
  const ledger = await playDay(service, { agents: 8, rounds: 3 });
  const since = `since=${ledger.since}`;
  await service.call('POST', '/api/plans/shop/nodes/n7/claim', { agent: 'ada/claude-0' });
  const { body: report } = await service.call('GET', `/api/report?${since}`);

  // Who did what, and what it cost.
  expect(report.totals).toMatchObject({
    done: ledger.done.size,
    submitted: ledger.submitted,
    failed: ledger.failed,
    givenBack: ledger.givenBack,
    expired: ledger.expired.length,
    claims: ledger.claims + 1,
    runs: ledger.runs,
    runsFailed: ledger.runsFailed,
    tokens: 0,
  });
  expect(new Map(report.done.map((one: { ref: string; agent: string }) => [one.ref, one.agent]))).toEqual(ledger.done);
  const sum = (member: string) =>
    report.rows.reduce((total: number, row: Record<string, number>) => total + (row[member] ?? 0), 0);
  for (const member of Object.keys(report.totals)) expect(sum(member), member).toBe(report.totals[member]);
  // Who works on what, also by person.
  expect(report.working).toMatchObject([{ ref: 'shop/n7', agent: 'ada/claude-0', person: 'ada' }]);
  // What is stuck: a submission that a person must judge.
  expect(report.stuck.total).toBeGreaterThan(0);
  expect(report.awaited).toHaveLength(ledger.submitted - ledger.done.size);
  // Which claims were taken back.
  expect(report.takenBack.map(({ ref, how }: { ref: string; how: string }) => [ref, how]).sort()).toEqual(
    ledger.expired.map((ref) => [ref, 'expired']).sort(),
  );
  // What comes first tomorrow: the first ready node that nobody holds.
  const { body: ready } = await service.call('GET', '/api/plans/ready?unclaimed=true&limit=5');
  expect(report.first.map(({ ref }: { ref: string }) => ref)).toEqual(ready.map(({ ref }: { ref: string }) => ref));
  // What changed since.
  const { body: feed } = await service.call('GET', `/api/activity?${since}`);
  const ofType = (type: string) => feed.filter((one: { type: string }) => one.type === type).length;
  expect([ofType('node_claimed'), ofType('claim_expired'), ofType('node_signed_off')]).toEqual([
    ledger.claims + 1,
    ledger.expired.length,
    ledger.done.size,
  ]);
  expect(feed.some(({ kind }: { kind: string }) => kind === 'report')).toBe(false);
  const times = feed.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().reverse());

  // The same through MCP and the command line.
  const client = await newMcpClient(service.url);
  const answer = await client.callTool({ name: 'activity_report', arguments: { since: ledger.since } });
  expect(answer.structuredContent).toMatchObject({ totals: report.totals, rows: report.rows });
  await client.close();
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  await using today = signalbox(['today', '--since', ledger.since, '--by', 'person', '--json'], env);
  expect(await today.ended).toBe(0);
  expect(JSON.parse(today.out())).toMatchObject({ by: 'person', totals: report.totals });
  expect(
    JSON.parse(today.out())
      .rows.map(({ key }: { key: string | null }) => key)
      .sort(),
  ).toEqual(['ada', 'bob', 'cyd', 'dan', null].sort());
});

test('the report is printed for people and as Markdown that titles cannot break; the feed line by line', async () => {
  await using service = await start();
  const nodes = [{ id: 'a', title: 'Cut | the [cake](x)' }];
  const since = new Date(service.clock.wall()).toISOString();
  await service.call('POST', '/api/plans?by=lena', { plan: 'p', title: 'P', nodes });
  await service.call('POST', '/api/plans/p/nodes/a/claim', { agent: 'ada', leaseMinutes: 30 });
  service.clock.advance(12 * 60_000);
  const env = { SIGNALBOX_SERVICE_URL: service.url };
  const said = async (...args: string[]) => {
    await using spawned = signalbox(args, env);
    expect(await spawned.ended, spawned.err()).toBe(0);
    return spawned.out();
  };
  const text = await said('today', '--since', since);
  expect(text).toMatch(/0 done, 0 submitted/);
  expect(text).toMatch(/AGENT +DONE[\s\S]*ada +0 [\s\S]*12 min/);
  expect(text).toContain('p/a by ada since');
  expect(await said('activity', '--since', since)).toMatch(/ada claimed p\/a\.\n.*lena created the plan/);
  await service.call('POST', '/api/plans/p/nodes/a/release', { agent: 'ada' });
  const markdown = await said('today', '--since', since, '--markdown');
  expect(markdown).toContain('| Agent | Done |');
  expect(markdown).toContain('1. p/a: Cut \\| the \\[cake\\](x)');
});

test('the feed is narrowed by person, plan, repository and kind, and goes on by its cursor', async () => {
  await using service = await start();
  const { since } = await playDay(service, { agents: 4, rounds: 2, reports: 2 });
  const feed = async (query: string) => (await service.call('GET', `/api/activity?since=${since}&${query}`)).body;
  const all = await feed('');
  const seen: string[] = [];
  let path = `/api/activity?since=${since}&limit=7`;
  for (let more = true; more; ) {
    const answer = await service.call('GET', path);
    seen.push(...answer.body.map(({ id }: { id: string }) => id));
    const next = /^<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
    more = next !== undefined;
    path = next ?? '';
  }
  expect(seen).toEqual(all.map(({ id }: { id: string }) => id));
  for (const entry of await feed('by=ada')) expect(entry.agent).toMatch(/^ada\//);
  for (const entry of await feed('plan=shop')) expect(entry.plan).toBe('shop');
  for (const entry of await feed('repository=acme/sdk')) expect(entry.repository).toBe('acme/sdk');
  expect(await feed('kind=report')).toHaveLength(16);
  expect((await feed('kind=run')).map(({ says }: { says: string }) => says)).toEqual([
    expect.stringContaining('passed: 2 tests'),
    expect.stringContaining('passed: 2 tests'),
  ]);
  expect((await service.call('GET', '/api/activity?since=noon')).body).toMatchObject({ code: 'invalid_request' });
});

test('a claim that began before the time counts from then on, and tokens are in the feed by name alone', async () => {
  await using service = await startClosed();
  const ada = await service.named('ada', ['work']);
  await service.operator.call('POST', '/api/plans?by=lena', {
    plan: 'p',
    title: 'P',
    nodes: [{ id: 'a', title: 'A' }],
  });
  await ada.call('POST', '/api/plans/p/nodes/a/claim', { agent: 'ada', leaseMinutes: 300 });
  service.clock.advance(60 * 60_000);
  const since = new Date(service.clock.wall()).toISOString();
  service.clock.advance(30 * 60_000);
  await ada.call('POST', '/api/plans/p/nodes/a/release', { agent: 'ada' });
  const { body } = await ada.call('GET', `/api/report?since=${since}&by=person&lanes=true`);
  expect(body.totals).toMatchObject({ claims: 0, givenBack: 1, heldMs: 30 * 60_000 });
  expect(body.lanes).toMatchObject([{ key: 'ada', bars: [{ ref: 'p/a', from: since, end: 'released' }] }]);
  const { body: feed } = await ada.call('GET', '/api/activity?since=24h&kind=token');
  expect(feed).toMatchObject([{ says: 'operator created the token ada.', href: '/tokens' }]);
});

test('newly flaky tests, and those no longer flaky, are named', async () => {
  await using service = await start();
  const run = async (runId: string, first: string, second: string) => {
    await service.console('POST', '/api/ingest', {
      events: smallRun(runId, { suite: 'unit', outcomes: [first, second] }),
    });
    service.clock.advance(60_000);
  };
  await run('a', 'CleanPass', 'PassOnRetry');
  await run('b', 'CleanPass', 'CleanPass');
  const since = new Date(service.clock.wall()).toISOString();
  for (const runId of ['c', 'd', 'e']) await run(runId, 'PassOnRetry', 'CleanPass');
  const { body } = await service.call('GET', `/api/report?since=${since}`);
  expect(body.tests).toMatchObject({ flaky: [{ uid: 'Cart/0', suite: 'unit' }], mended: [{ uid: 'Cart/1' }] });
});

test('a long note is the beginning of its sentence in the feed, and whole on its repository', async () => {
  await using service = await start();
  const text = 'long '.repeat(2_000);
  await service.call('POST', '/api/repositories', { owner: 'acme', name: 'shop' });
  await service.call('POST', '/api/repositories/acme/shop/notes', { text, by: 'ada' });
  const [{ says }] = (await service.call('GET', '/api/activity?kind=repository')).body;
  expect(says).toMatch(/^ada noted on acme\/shop: long long .*…$/);
  expect(says.length).toBeLessThan(600);
  const { notes } = (await service.call('GET', '/api/repositories/acme/shop')).body;
  expect(notes[0].text.trim()).toBe(text.trim());
});
