import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded, recordedRunId } from '../recorded-run.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

const junit = `<testsuite name="py"><testcase classname="a.b" name="fine" time="0.1"/>
  <testcase classname="a.b" name="not"><failure message="expected 1">trace</failure></testcase></testsuite>`;

async function run(args: readonly string[], home: string): Promise<{ code: number | null; out: string; err: string }> {
  await using spawned = signalbox(args, {}, home);
  const code = await spawned.ended;
  return { code, out: spawned.out(), err: spawned.err() };
}

test('results of any tool become runs, once however often they are imported', async () => {
  await using service = await start();
  const url = ['--url', service.consoleUrl];
  writeFileSync(join(service.home, 'py.xml'), junit);
  for (let time = 0; time < 2; time += 1) {
    expect(await run(['import', 'py.xml', '--tag', 'plan/node', ...url], service.home)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^py\.xml: junit, 6 events, run [0-9a-f-]{36}\n$/),
    });
  }
  const { body: runs } = await service.console('GET', '/api/runs');
  expect(runs).toMatchObject([{ suite: 'py', tag: 'plan/node', passed: 1, failed: 1, exitCode: 1, scenarios: 2 }]);
  const listed = await run(['runs', ...url], service.home);
  expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/py .*failed .*2\/2 .*1 passed, 1 failed/) });
  const followed = await run(['runs', '--follow', ...url], service.home);
  expect(followed).toMatchObject({ code: 1, out: expect.stringContaining('finished: 1 passed, 1 failed') });
  writeFileSync(join(service.home, 'bad.xml'), '<html/>');
  expect(await run(['import', 'bad.xml', ...url], service.home)).toMatchObject({
    code: 1,
    err: expect.stringContaining('not a JUnit report'),
  });
});

test('an exported run can be imported elsewhere, as events or as a report', async () => {
  await using first = await start();
  await first.console('POST', '/api/ingest', { events: recorded });
  const { text } = await first.console('GET', `/api/runs/${recordedRunId}/export?format=ndjson`);
  const { text: ctrf } = await first.console('GET', `/api/runs/${recordedRunId}/export`);
  await using second = await start();
  writeFileSync(join(second.home, 'run.ndjson'), text);
  writeFileSync(join(second.home, 'run.json'), ctrf);
  const args = ['import', 'run.ndjson', 'run.json', '--url', second.consoleUrl];
  expect((await run(args, second.home)).code).toBe(0);
  const { body: there } = await first.console('GET', `/api/runs/${recordedRunId}`);
  const { body } = await second.console('GET', `/api/runs/${recordedRunId}`);
  expect(body).toEqual(there);
  const { body: runs } = await second.console('GET', '/api/runs');
  const report = runs.find(({ mode }: { mode: string }) => mode === 'imported');
  expect(report).toMatchObject({ suite: 'Checkout.Specs', passed: 3, passedOnRetry: 3, skipped: 2, failed: 5 });
});

test('files of one run are one run, whose failures are not hidden by the last file', async () => {
  await using service = await start();
  const files = { 'a.xml': junit, 'b.xml': '<testsuite name="b"><testcase name="fine"/></testsuite>' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(service.home, name), text);
  const long = { type: 'note', runId: 'long', text: 'x'.repeat(1024 * 1024) };
  writeFileSync(join(service.home, 'c.ndjson'), `${JSON.stringify(long)}\n`.repeat(9));
  const options = ['--url', service.consoleUrl, '--tag', 'plan/node'];
  const said = await run(['import', ...Object.keys(files), 'c.ndjson', '--run-id', 'all', ...options], service.home);
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('2 files: together, 8 events, run all') });
  expect(said.err).toContain('c.ndjson: these events name their own run; ignored options: --tag, --run-id');
  const { body: runs } = await service.console('GET', '/api/runs?state=finished');
  expect(runs).toMatchObject([{ runId: 'all', suite: 'py', tag: 'plan/node', passed: 2, failed: 1, exitCode: 1 }]);
  const apart = await run(['import', ...Object.keys(files), ...options], service.home);
  expect(apart).toMatchObject({ code: 0, err: expect.stringContaining('--run-id combines them into one run') });
});

const suite = (name: string, inside: string) => `<testsuite name="${name}">${inside}</testsuite>`;

test('parts of a run are imported one by one, and a late one is refused whole', async () => {
  await using service = await start();
  const file = (index: number) => suite(`S${index}`, `<testcase classname="c" name="t${index}"/>`);
  for (const index of [1, 2, 3]) writeFileSync(join(service.home, `${index}.xml`), file(index));
  const part = (index: number, shard: string, runId = 'parts') =>
    run(
      ['import', `${index}.xml`, '--run-id', runId, '--shard', shard, '--suite', 'shop', '--url', service.consoleUrl],
      service.home,
    );
  expect(await part(1, '1/2')).toMatchObject({ code: 0 });
  expect(await part(1, '1/2')).toMatchObject({ code: 1, err: expect.stringContaining('already has the part 1/2') });
  const detail = async () => (await service.console('GET', '/api/runs/parts')).body;
  expect((await detail()).run).toMatchObject({ suite: 'shop', state: 'running', passed: 1, green: null });
  expect(await part(2, '2/2')).toMatchObject({ code: 0 });
  const whole = await detail();
  expect(whole.run).toMatchObject({ state: 'finished', passed: 2, lost: 0, green: true });
  expect(await part(3, '3/3')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has ended, so nothing was imported'),
  });
  const late = await run(['import', '3.xml', '--run-id', 'parts', '--url', service.consoleUrl], service.home);
  expect(late).toMatchObject({ code: 1, err: expect.stringContaining('--shard for a run of several parts') });
  expect(await detail()).toEqual(whole);
  expect(await run(['import', '1.xml', '--shard', '1/2'], service.home)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--shard needs --run-id'),
  });
});

test('one refused file does not keep the others away, --suite names the run, and a copy is the same run', async () => {
  await using service = await start();
  const url = ['--url', service.consoleUrl];
  writeFileSync(join(service.home, 'bad.xml'), '<testsuite name="x"><testcase');
  writeFileSync(join(service.home, 'a.xml'), suite('com.shop.CartTest', '<testcase classname="a" name="t"/>'));
  writeFileSync(join(service.home, 'b.tap'), '1..2\nok 1 - adds\nnot ok 2 - breaks\n');
  expect(await run(['import', 'bad.xml', 'a.xml', ...url], service.home)).toMatchObject({
    code: 1,
    out: expect.stringContaining('a.xml: junit'),
    err: expect.stringContaining('bad.xml: the file is not well-formed XML'),
  });
  writeFileSync(join(service.home, 'copy.xml'), suite('com.shop.CartTest', '<testcase classname="a" name="t"/>'));
  utimesSync(join(service.home, 'copy.xml'), 1_700_000_000, 1_700_000_000);
  expect(await run(['import', 'copy.xml', ...url], service.home)).toMatchObject({
    code: 0,
    err: expect.stringContaining('already imported'),
  });
  expect(await run(['import', 'a.xml', 'b.tap', '--suite', 'shop', ...url], service.home)).toMatchObject({ code: 0 });
  const { body } = await service.console('GET', '/api/runs');
  expect(body).toMatchObject([
    { suite: 'shop', passed: 2, failed: 1 },
    { suite: 'com.shop.CartTest', passed: 1 },
  ]);
});
