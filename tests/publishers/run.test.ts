import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../start.ts';
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

  test('a node that does not exist is said at once, and nothing runs', async () => {
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

  test('runs the command all the same when no console is there', async () => {
    await using project = await folderWith({});
    const said = await signalbox(project.folder, ['run', ...node('console.log("ran"); process.exit(4)')], {
      SIGNALBOX_URL: 'http://127.0.0.1:9',
    });
    expect(said).toMatchObject({ code: 4, stdout: 'ran\n' });
  });
});
