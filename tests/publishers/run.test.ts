import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createCuttableConnection } from '../browser/cuttable-connection.ts';
import { start } from '../start.ts';
import { startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';
import { signalbox } from './signalbox.ts';

async function folderWith(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-run-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

const node = (script: string) => ['--', process.execPath, '-e', script];
const junit = `<testsuites><testsuite name="cart" tests="3">
  <testcase classname="cart" name="adds" time="0.5"/>
  <testcase classname="cart" name="breaks"><failure message="broken">at cart.ts:3</failure></testcase>
  <testcase classname="cart" name="later"><skipped/></testcase></testsuite></testsuites>`;
const ctrf = JSON.stringify({
  results: { tests: [{ name: 'adds', status: 'passed', duration: 5, retries: 1, suite: ['cart'] }] },
});
const tap = `TAP version 14\n# Subtest: cart\n    ok 1 - adds\n    not ok 2 - breaks\n      ---\n      message: 'broken'\n      ...\n    1..2\nnot ok 1 - cart\nok 2 - later # SKIP no time\n1..2\n`;
const leaves = (file: string, content: string) =>
  `require('node:fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(content)})`;

describe('signalbox run', () => {
  test('passes the exit code through and makes the command a run, tagged for its node', async () => {
    await using service = await start();
    await using project = await folderWith({ 'package.json': '{"name":"shop"}' });
    await service.call('POST', '/api/plans', { plan: 'release', nodes: [{ id: 'tests' }] });
    const args = ['run', '--node', 'release/tests', ...node('process.exit(3)')];
    expect(await signalbox(project.folder, args, { SIGNALBOX_URL: service.consoleUrl })).toMatchObject({ code: 3 });
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([
      { tag: 'release/tests', suite: 'shop', mode: 'supervised', state: 'finished', exitCode: 1, failed: 1, lost: 0 },
    ]);
  });

  test('an unknown node is reported immediately, and nothing runs', async () => {
    await using service = await start();
    await using project = await folderWith({ 'package.json': '{"name":"shop"}' });
    const env = { SIGNALBOX_URL: service.consoleUrl };
    const args = ['run', '--node', 'release/tests', ...node('process.exit(3)')];
    expect(await signalbox(project.folder, args, env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--node release/tests does not exist, so nothing was run.'),
    });
    expect((await service.console('GET', '/api/runs')).body).toEqual([]);
  });

  test.each([
    ['a JUnit file', 'results.xml', junit, { exitCode: 1, passed: 1, failed: 1, skipped: 1 }],
    ['a CTRF file', 'ctrf-report.json', ctrf, { exitCode: 0, passed: 0, failed: 0, passedOnRetry: 1 }],
    ['a TAP file', 'out.tap', tap, { exitCode: 1, passed: 1, failed: 1, skipped: 1 }],
  ])('turns %s that the command leaves into scenarios', async (_, file, content, counts) => {
    await using service = await start();
    await using project = await folderWith({ 'old.xml': junit });
    await signalbox(project.folder, ['run', '--report', file, ...node(leaves(file, content))], {
      SIGNALBOX_URL: service.consoleUrl,
    });
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([{ state: 'finished', lost: 0, ...counts }]);
    const detail = await service.console('GET', `/api/runs/${body[0].runId}`);
    const broken = detail.body.scenarios.find(({ outcome }: { outcome: string }) => outcome === 'Failed');
    if (counts.failed > 0)
      expect(broken).toMatchObject({ feature: 'cart', scenario: 'breaks', errorMessage: 'broken' });
  });

  test('finds a report by itself', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const write = `require('node:fs').mkdirSync('reports'); ${leaves('reports/junit.xml', junit)}`;
    await signalbox(project.folder, ['run', ...node(write)], { SIGNALBOX_URL: service.consoleUrl });
    expect((await service.console('GET', '/api/runs')).body).toMatchObject([{ passed: 1, failed: 1, skipped: 1 }]);
  });

  test('leaves the tests to a publisher that speaks', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const events = `[{ type: 'scenario_started', runId, uid: 'Cart/adds' }, { type: 'scenario_finished', runId, uid: 'Cart/adds', outcome: 'CleanPass', attempts: 1 }]`;
    const speak = `const { SIGNALBOX_RUN_ID: runId, SIGNALBOX_URL: url } = process.env; if (!process.env.SIGNALBOX_RUN_OWNER) throw 1;
      fetch(url + '/api/ingest', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ events: ${events} }) })`;
    await signalbox(project.folder, ['run', ...node(speak)], { SIGNALBOX_URL: service.consoleUrl });
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([{ scenarios: 1, passed: 1, exitCode: 0, state: 'finished' }]);
  });

  test('a shard without a publisher is a part of its run, and the run ends with the last of them', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const one = (name: string) => `<testsuite name="s"><testcase classname="c" name="${name}"/></testsuite>`;
    const runOfAll = async () => (await service.console('GET', '/api/runs/parts')).body.run;
    for (const index of [1, 2, 3]) {
      const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_RUN_ID: 'parts', SIGNALBOX_SHARD: `${index}/3` };
      const args = ['run', '--suite', 'shop', ...node(leaves('out.xml', one(`t${index}`)))];
      expect(await signalbox(project.folder, args, env)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Read 1 test from out.xml.'),
      });
      if (index < 3) expect(await runOfAll()).toMatchObject({ state: 'running', scenarios: index, green: null });
    }
    expect(await runOfAll()).toMatchObject({ suite: 'shop', state: 'finished', passed: 3, lost: 0, green: true });
  });

  test('a shard whose command fails makes the run red', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_RUN_ID: 'parts', SIGNALBOX_SHARD: '1/1' };
    await signalbox(project.folder, ['run', ...node('process.exit(3)')], env);
    const { run } = (await service.console('GET', '/api/runs/parts')).body;
    expect(run).toMatchObject({ state: 'finished', failed: 1, green: false });
  });

  test('tests are shown while the command runs, as it prints them', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const go = (event: object) =>
      `console.log(${JSON.stringify(JSON.stringify({ Package: 'p', Test: 'TestSlow', ...event }))});`;
    const script = `${go({ Action: 'run' })} const wait = () => require('node:fs').existsSync('seen') ? finish() : setTimeout(wait, 20);
      const finish = () => { ${go({ Action: 'pass', Elapsed: 1 })} console.log('{"Action":"pass","Package":"p"}'); }; wait();`;
    const ended = signalbox(project.folder, ['run', '--report', '-', ...node(script)], {
      SIGNALBOX_URL: service.consoleUrl,
    });
    const list = async () => (await service.console('GET', '/api/runs')).body as { scenarios: number; state: string }[];
    await expect.poll(list).toMatchObject([{ state: 'running', scenarios: 1 }]);
    await writeFile(join(project.folder, 'seen'), '');
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"Action":"run"') });
    expect(await list()).toMatchObject([{ state: 'finished', passed: 1, green: true }]);
  });

  test('a console that restarts meanwhile misses neither a test nor the end', async () => {
    await using wire = await createCuttableConnection();
    await using service = await start();
    wire.to(service.consoleUrl);
    await using project = await folderWith({});
    const passes = (name: string) =>
      ['run', 'pass']
        .map((Action) => `console.log(${JSON.stringify(JSON.stringify({ Package: 'p', Test: name, Action }))});`)
        .join('');
    const script = `const when = (file, then) => require('node:fs').existsSync(file) ? then() : setTimeout(() => when(file, then), 20);
      ${passes('TestBefore')} when('cut', () => { ${passes('TestDuring')} when('mended', () => { ${passes('TestAfter')}
      when('cut again', () => console.log('{"Action":"pass","Package":"p"}')); }); });`;
    const ended = signalbox(project.folder, ['run', '--report', '-', ...node(script)], { SIGNALBOX_URL: wire.url });
    const list = async () => (await service.console('GET', '/api/runs')).body as { scenarios: number; state: string }[];
    const refuses = async (file: string) => {
      wire.cut();
      const before = wire.refused();
      await writeFile(join(project.folder, file), '');
      await expect.poll(wire.refused).toBeGreaterThan(before + 1);
      wire.mend();
    };
    await expect.poll(list).toMatchObject([{ scenarios: 1 }]);
    await refuses('cut');
    await writeFile(join(project.folder, 'mended'), '');
    await expect.poll(list).toMatchObject([{ scenarios: 3 }]);
    await refuses('cut again');
    expect(await ended).toMatchObject({ code: 0 });
    expect(await list()).toMatchObject([{ state: 'finished', scenarios: 3, passed: 3, green: true }]);
  });

  test('a run that the console does not begin is not published, and the reason is given', async () => {
    await using service = await start({ settings: { MaxRuns: '2' } });
    await using project = await folderWith({});
    await service.console('POST', '/api/ingest', {
      events: ['one', 'two'].map((runId) => ({ type: 'run_started', runId })),
    });
    const env = { SIGNALBOX_URL: service.consoleUrl };
    expect(await signalbox(project.folder, ['run', ...node('process.exit(3)')], env)).toMatchObject({
      code: 3,
      stderr: `The run console at ${service.consoleUrl} rejected the run (2 runs are live (Service:MaxRuns); try again when some have ended): the command runs without publishing.\n`,
    });
    expect((await service.console('GET', '/api/runs')).body).toHaveLength(2);
  });

  test('a run that the console does not begin leaves its reports with --console, which can be imported later', async () => {
    await using service = await start({ settings: { MaxRuns: '1' } });
    await using project = await folderWith({});
    const begun = { type: 'run_started', runId: 'one' };
    await service.console('POST', '/api/ingest', { events: [begun] });
    const env = { SIGNALBOX_URL: service.consoleUrl };
    const args = ['run', '--console', ...node(`${leaves('out.xml', junit)}; process.exit(3)`)];
    const said = await signalbox(project.folder, args, env);
    expect(said, said.stderr).toMatchObject({ code: 3 });
    expect(said.stderr).toMatch(
      /^The run console at \S+ rejected the run \(.*Service:MaxRuns.*\): the run is not published, only its reports are written\. "signalbox import" publishes signalbox-ctrf\.json later\.\n/,
    );
    expect((await service.console('GET', '/api/runs')).body).toHaveLength(1);
    await service.console('POST', '/api/ingest', { events: [{ ...begun, type: 'run_finished', exitCode: 0 }] });
    expect(await signalbox(project.folder, ['import', 'signalbox-ctrf.json'], env)).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await service.console('GET', '/api/runs')).body)
      .toMatchObject([{ passed: 1, failed: 1, skipped: 1 }]);
  });

  test('tests that the console rejects are counted in one line, with the reason', async () => {
    await using service = await start({ settings: { RunMb: '1' } });
    await using project = await folderWith({});
    const failed = (n: number) =>
      `<testcase name="t${n}"><failure message="m">${'x'.repeat(7_000)}</failure></testcase>`;
    const report = `<testsuite name="s">${Array.from({ length: 300 }, (_, n) => failed(n)).join('')}</testsuite>`;
    await writeFile(join(project.folder, 'made.xml'), report);
    const copy = "require('node:fs').copyFileSync('made.xml', 'out.xml')";
    const args = ['run', '--report', 'out.xml', ...node(copy)];
    const { code, stderr } = await signalbox(project.folder, args, { SIGNALBOX_URL: service.consoleUrl });
    expect(code).toBe(0);
    const [run] = (await service.console('GET', '/api/runs')).body;
    expect(run).toMatchObject({ state: 'finished', exitCode: 2, green: false });
    const [, rejected] =
      /^The run console rejected (\d+) events, so the run is incomplete: run \S+ has reached the limit of 1 MB \(Service:RunMb\)/m.exec(
        stderr,
      ) ?? [];
    expect(Number(rejected), stderr).toBeGreaterThan(100);
  });

  test('it lists omitted reports, and a report without a test is not a pass', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const env = { SIGNALBOX_URL: service.consoleUrl };
    const twice = `${leaves('a.xml', junit)}; ${leaves('b.xml', junit)}`;
    const both = await signalbox(project.folder, ['run', ...node(twice)], env);
    expect(both.stderr).toContain('b.xml is left out: its tests are all in a.xml.');
    const empty = leaves('none.xml', '<testsuite name="(empty)" tests="0"/>');
    const none = await signalbox(project.folder, ['run', '--report', 'none.xml', ...node(empty)], env);
    expect(none.stderr).toContain('The report contains no tests, so the run is not green.');
    const cut = await signalbox(project.folder, ['run', ...node(leaves('cut.xml', junit.slice(0, 150)))], env);
    expect(cut.code).toBe(0);
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([
      { failed: 1, green: false },
      { scenarios: 0, green: false },
      { passed: 1, failed: 1, skipped: 1 },
    ]);
  });

  test('earlier attempts in a report are kept', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const flaky =
      '<testsuite name="s"><testcase classname="c" name="t"><flakyFailure message="one"/><flakyFailure message="two"/></testcase></testsuite>';
    await signalbox(project.folder, ['run', ...node(leaves('TEST-s.xml', flaky))], {
      SIGNALBOX_URL: service.consoleUrl,
    });
    const [{ runId }] = (await service.console('GET', '/api/runs')).body;
    const { scenarios } = (await service.console('GET', `/api/runs/${runId}`)).body;
    expect(scenarios).toMatchObject([{ outcome: 'PassOnRetry', attempts: 3, retryReasons: ['one', 'two'] }]);
  });

  test('reports are written although the console of the team does not answer', async () => {
    await using project = await folderWith({});
    const args = ['run', '--console', ...node(leaves('out.xml', junit))];
    const said = await signalbox(project.folder, args, { SIGNALBOX_URL: 'http://127.0.0.1:9' });
    expect(said.stderr).toContain('No run console at http://127.0.0.1:9');
    expect(await readFile(join(project.folder, 'signalbox-junit.xml'), 'utf8')).toContain('breaks');
  });

  test('runs the command all the same when no console is there', async () => {
    await using project = await folderWith({});
    const said = await signalbox(project.folder, ['run', ...node('console.log("ran"); process.exit(4)')], {
      SIGNALBOX_URL: 'http://127.0.0.1:9',
    });
    expect(said).toMatchObject({ code: 4, stdout: 'ran\n' });
  });

  verifies(
    'token:for-one-run',
    'the tests get a token for their run alone, and that of the caller is not among their variables',
    async () => {
      await using service = await startClosed();
      const ci = await service.named('ci', ['publish']);
      await using project = await folderWith({ 'package.json': '{"name":"shop"}' });
      const script = `require('node:fs').writeFileSync('env.json', JSON.stringify(process.env))`;
      const env = {
        SIGNALBOX_URL: service.consoleUrl,
        SIGNALBOX_TOKEN: ci.token,
        Service__Token: 'the-token-of-nobody',
      };
      expect(await signalbox(project.folder, ['run', ...node(script)], env)).toMatchObject({ code: 0 });
      const given = JSON.parse(await readFile(join(project.folder, 'env.json'), 'utf8')) as Record<string, string>;
      expect(JSON.stringify(given)).not.toContain(ci.token);
      expect(given.Service__Token).toBeUndefined();
      const [run] = (await ci.console('GET', '/api/runs')).body;
      const tests = service.holding(given.SIGNALBOX_TOKEN ?? '');
      const send = (runId: string) =>
        tests.console('POST', '/api/ingest', {
          events: [{ type: 'run_heartbeat', runId, at: '2026-01-01T00:00:00Z' }],
        });
      expect([run.publisher, (await send(run.runId)).body.rejected]).toEqual(['ci', []]);
      expect((await send('another')).body.rejected[0].message).toBe(
        `this token may only publish to the run ${run.runId}`,
      );
      for (const [method, path] of [
        ['GET', '/api/runs'],
        ['PUT', '/api/event-model/mine'],
        ['POST', `/api/runs/${run.runId}/token`],
      ] as const)
        expect([path, (await tests.console(method, path, method === 'GET' ? undefined : {})).status]).toEqual([
          path,
          403,
        ]);
      expect((await tests.call('GET', '/api/plans')).status).toBe(403);
      expect(
        (await service.holding(`${given.SIGNALBOX_TOKEN}x`).console('POST', '/api/ingest', { events: [] })).status,
      ).toBe(401);
      await service.operator.call('DELETE', '/api/tokens/ci');
      expect((await send(run.runId)).status).toBe(401);
    },
  );
});

describe('a command that is ended', () => {
  test('a signal that comes before the command starts ends the run, and the command never starts', async () => {
    await using project = await folderWith({});
    let child: ChildProcess | undefined;
    const events: Record<string, unknown>[] = [];
    const server = createServer(async (request, response) => {
      if (request.url !== '/api/ingest') return response.writeHead(404).end();
      events.push(...JSON.parse(await text(request)).events);
      // The console receives the start of the run, and the publisher waits for the answer.
      if (events.length === 1) child?.kill('SIGTERM');
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":1,"ignored":0,"rejected":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { SIGNALBOX_URL: `http://127.0.0.1:${port}` };
    const args = ['run', ...node(leaves('ran', 'yes'))];
    const { code } = await signalbox(project.folder, args, env, (started) => (child = started));
    server.closeAllConnections();
    server.close();
    expect(code).toBe(143);
    await expect(readFile(join(project.folder, 'ran'))).rejects.toThrow();
    expect(events.at(0)).toMatchObject({ type: 'run_started' });
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', exitCode: 2, interrupted: 'SIGTERM' });
  });

  test.each(['SIGTERM', 'SIGSEGV'])('%s in the middle leaves a run that has ended and is not green', async (signal) => {
    await using service = await start();
    await using project = await folderWith({});
    const args = ['run', ...node(`process.kill(process.pid, '${signal}'); setInterval(() => {}, 1_000)`)];
    await signalbox(project.folder, args, { SIGNALBOX_URL: service.consoleUrl });
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([{ state: 'finished', interrupted: signal, exitCode: 2, green: false }]);
  });

  test('unsent events of a publisher are sent, only those of this run and only complete ones', async () => {
    await using service = await start();
    await using project = await folderWith({});
    const tell = (runId: string, uid: string) =>
      `JSON.stringify({ type: 'scenario_started', runId: ${runId}, uid: '${uid}', at: '2026-01-01T00:00:00Z' })`;
    const lines = `[${tell('runId', 'Cart/dies')}, ${tell("'another'", 'Cart/foreign')}, '{"type":"scenario_st'].join('\\n')`;
    const dies = `const { SIGNALBOX_RUN_ID: runId, SIGNALBOX_UNSENT: folder } = process.env;
      require('node:fs').writeFileSync(folder + '/1', ${lines}); process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1_000)`;
    const { code } = await signalbox(project.folder, ['run', ...node(dies)], { SIGNALBOX_URL: service.consoleUrl });
    expect(code).toBe(139);
    const { body } = await service.console('GET', '/api/runs');
    expect(body).toMatchObject([{ state: 'finished', scenarios: 1, lost: 1, green: false, interrupted: 'SIGSEGV' }]);
  });
});

describe('tasks of a monorepo', () => {
  test('tasks that turbo and nx took from their caches are shown as cached, with the original run', async () => {
    await using service = await start();
    await using project = await folderWith({ 'turbo.json': '{}' });
    const env = { SIGNALBOX_URL: service.consoleUrl };
    const turbo = (status: string) => ({
      tasks: ['a#test', 'a#build'].map((taskId) => ({
        taskId,
        task: taskId.slice(2),
        hash: `h-${taskId}`,
        cache: { status },
      })),
    });
    const nx = (cacheStatus: string) => ({ tasks: [{ taskId: 'b:test', target: 'test', hash: 'n1', cacheStatus }] });
    const runs = (status: string, cacheStatus: string) =>
      `if (!process.env.TURBO_RUN_SUMMARY) process.exit(9); for (const folder of ['.turbo/runs', '.nx/cache']) require('node:fs').mkdirSync(folder, { recursive: true });
       ${leaves('.turbo/runs/x.json', JSON.stringify(turbo(status)))}; ${leaves('.nx/cache/run.json', JSON.stringify(nx(cacheStatus)))}`;
    expect(await signalbox(project.folder, ['run', ...node(runs('MISS', 'cache-miss'))], env)).toMatchObject({
      code: 0,
    });
    const [{ runId }] = (await service.console('GET', '/api/runs')).body;
    await signalbox(project.folder, ['run', ...node(runs('HIT', 'local-cache-hit'))], env);
    const [cached] = (await service.console('GET', '/api/runs')).body;
    expect(cached).toMatchObject({ scenarios: 2, skipped: 2, green: false });
    const { scenarios } = (await service.console('GET', `/api/runs/${cached.runId}`)).body;
    const skipReason = `cached: its tests ran in run ${runId}`;
    expect(scenarios).toMatchObject([
      { feature: 'nx', scenario: 'b:test', outcome: 'Skipped', skipReason },
      { feature: 'turbo', scenario: 'a#test', outcome: 'Skipped', skipReason },
    ]);
  });
});
