import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { coordinationCommands } from '../../../packages/service/src/coordination/registry.ts';
import { failingTestsOf } from '../../../packages/service/src/coordination/runs/failing-tests.ts';
import { parseGitConfig, repositoryOf } from '../../../packages/service/src/files/git-config.ts';
import { nearest } from '../../../packages/service/src/kernel/text.ts';
import { cloneIn } from '../../evidence-clone.ts';
import { caller } from '../../start.ts';
import { newMcpClient } from '../../transports.ts';
import { expectBrief, expectNeverStill, startWatched } from './never-still.ts';

const smallHeap = { NODE_OPTIONS: '--max-old-space-size=256', Service__ObserveSeconds: '1' };

test('a suite named by 60,000 dashes is exported without holding anybody up', async () => {
  await using service = await startWatched(smallHeap);
  const console = caller(service.consoleUrl);
  const suite = `a${'-'.repeat(60_000)}b`;
  await console('POST', '/api/ingest', { events: [{ type: 'run_started', runId: 'r1', suite }] });
  for (const format of ['ctrf', 'junit', 'ndjson'])
    expect((await console('GET', `/api/runs/r1/export?format=${format}`)).status).toBe(200);
  await expectNeverStill(service);
});

test('a run of 120 long texts is read again and exported without holding anybody up', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-long-run-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  {
    await using service = await startWatched({}, [], home);
    const failed = { type: 'scenario_finished', runId: 'r1', outcome: 'Failed', attempts: 1, durationMs: 1 };
    for (let batch = 0; batch < 6; batch += 1) {
      const events = Array.from({ length: 20 }, (_, index) => ({
        ...failed,
        uid: `t${batch * 20 + index}`,
        errorMessage: 'é"<\n'.repeat(48_000),
      }));
      expect((await caller(service.consoleUrl)('POST', '/api/ingest', { events })).status).toBe(202);
    }
    service.child.kill('SIGTERM');
    await service.ended;
  }
  await using service = await startWatched(smallHeap, [], home);
  const read = async (path: string) => (await (await fetch(`${service.consoleUrl}${path}`)).arrayBuffer()).byteLength;
  expect(await read('/api/runs/r1')).toBeGreaterThan(12_000_000);
  expect(await read('/api/runs/r1/export?format=ndjson')).toBeGreaterThan(30_000_000);
  for (const format of ['ctrf', 'junit']) expect(await read(`/api/runs/r1/export?format=${format}`)).toBeGreaterThan(0);
  await expectNeverStill(service);
});

test('a test tried forty times with long texts, in a suite of a long name, is read and exported without holding anybody up', async () => {
  await using service = await startWatched();
  const console = caller(service.consoleUrl);
  const tried = (attempt: number) => [
    { type: 'scenario_started', runId: 'r1', uid: 't', attempt },
    {
      type: 'scenario_finished',
      runId: 'r1',
      uid: 't',
      attempt,
      attempts: attempt,
      outcome: 'Failed',
      durationMs: 1,
      errorMessage: '<&"\u{1f600}'.repeat(40_000),
      stackTrace: '>x<'.repeat(40_000),
    },
  ];
  await console('POST', '/api/ingest', { events: [{ type: 'run_started', runId: 'r1', suite: '<'.repeat(900_000) }] });
  for (let attempt = 1; attempt <= 40; attempt += 4) {
    const events = [0, 1, 2, 3].flatMap((more) => tried(attempt + more));
    expect((await console('POST', '/api/ingest', { events })).body).toMatchObject({ rejected: [] });
  }
  const texts = new Map<string, string>();
  for (const format of ['', '/export?format=junit', '/export?format=ctrf', '/export?format=html'])
    texts.set(format, await (await fetch(`${service.consoleUrl}/api/runs/r1${format}`)).text());
  await expectNeverStill(service);
  const [scenario] = JSON.parse(texts.get('') ?? '').scenarios;
  expect([scenario.attempt, scenario.attemptsHistory.length]).toEqual([40, 39]);
  const [ctrf] = JSON.parse(texts.get('/export?format=ctrf') ?? '').results.tests;
  expect([ctrf.retries, ctrf.retryAttempts.length]).toEqual([39, 39]);
  expect(texts.get('/export?format=junit')?.match(/<rerunFailure /g)).toHaveLength(39);
  const [, embedded = ''] = /id="run">([^<]*)</.exec(texts.get('/export?format=html') ?? '') ?? [];
  expect(JSON.parse(embedded).scenarios).toEqual([scenario]);
});

test('a message that nearly holds its stack trace, both of one letter, is exported without holding anybody up', async () => {
  await using service = await startWatched(smallHeap);
  const console = caller(service.consoleUrl);
  const failed = { type: 'scenario_finished', runId: 'r1', uid: 't1', outcome: 'Failed', attempts: 1, durationMs: 1 };
  const stackTrace = `${'a'.repeat(300)}b${'a'.repeat(60_000)}`;
  const event = { ...failed, errorMessage: 'a'.repeat(200_000), stackTrace };
  expect((await console('POST', '/api/ingest', { events: [event] })).body).toMatchObject({ rejected: [] });
  const exported = await fetch(`${service.consoleUrl}/api/runs/r1/export?format=junit`);
  expect(await exported.text()).toContain('<failure message="aaaa');
  await expectNeverStill(service);
});

test('a line of a git configuration, however long, is read without holding anybody up', async () => {
  await using service = await startWatched(smallHeap);
  const console = caller(service.consoleUrl);
  const lines = [`url = ${'a'.repeat(200_000)}`, `url =${' '.repeat(200_000)}x`, `url${' '.repeat(200_000)}`];
  for (const [index, line] of lines.entries()) {
    const repository = join(service.home, `clone-${index}`);
    mkdirSync(join(repository, '.git'), { recursive: true });
    writeFileSync(join(repository, '.git', 'config'), `[remote "origin"]\n\t${line}\n`);
    await console('POST', '/api/ingest', { events: [{ type: 'run_started', runId: `r${index}`, repository }] });
  }
  expect((await console('GET', '/api/runs')).body).toHaveLength(lines.length);
  await expectNeverStill(service);
});

test('a setting in the git configuration of a session’s tree is read in a blink', () => {
  const texts = [
    `[remote "origin"]\n\turl = a${' '.repeat(250_000)}b`,
    `[remote "origin"]\n\turl =${'\t'.repeat(250_000)}\u2028`,
    `[${'a'.repeat(250_000)}`,
    `[a "${'\\"'.repeat(125_000)}`,
    `[remote "origin"]\n\turl = ${'a:'.repeat(125_000)}`,
  ];
  for (const text of texts) expectBrief(() => repositoryOf(parseGitConfig(text), 'main'));
});

test('the trace of a failed test is looked through in a blink', () => {
  const run = { runId: 'r1', suite: '', state: 'finished' } as never;
  const texts = [' in a'.repeat(60_000), `${' '.repeat(300_000)}x`, 'a.a.'.repeat(80_000), '\n'.repeat(300_000)];
  for (const errorMessage of [...texts, ...texts.map((text) => `x\n${text}`)]) {
    const scenario = { uid: 'u', outcome: 'Failed', errorMessage, steps: [] };
    expectBrief(() => failingTestsOf(run, [scenario as never]));
  }
});

test('256 mistyped commands, as many as a frame may hold, are compared with every command in a blink', () => {
  const names = coordinationCommands.map(({ name }) => name);
  expectBrief(() => Array.from({ length: 256 }, (_, at) => nearest(`nothing at ${at}`, names)), 3);
});

test('a session file of a million lines that are no records is given up on, and one of a million that are is read in turns', async () => {
  await using service = await startWatched(smallHeap);
  const folder = join(service.home, '.claude', 'projects', '-x');
  mkdirSync(folder, { recursive: true });
  const write = (first: string, text: string) =>
    writeFileSync(join(folder, `${first}0000000-0000-4000-8000-000000000000.jsonl`), text);
  write('1', '{x}\n'.repeat(1_500_000));
  write('2', '{"type":"x"}\n'.repeat(600_000));
  write('3', 'x\n'.repeat(3_000_000));
  await vi.waitFor(
    async () => expect((await caller(service.url)('GET', '/api/agents')).text).toContain('30000000'),
    120_000,
  );
  await expectNeverStill(service);
});

async function bindDependency(url: string, folder: string): Promise<void> {
  const client = await newMcpClient(url);
  await client.callTool({ name: 'register_repository', arguments: { owner: 'acme', name: 'shop', paths: [folder] } });
  await client.close();
  const binding = { kind: 'dependency', repository: 'acme/shop', name: 'sdk', version: '^2.0.0' };
  await caller(url)('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes: [{ id: 'bump', binding }] });
}

const evidenceOf = async (url: string) => (await caller(url)('GET', '/api/plans/p/status')).body.nodes[0].evidence;

test('a project file of 740 KB is looked at without holding anybody up', async () => {
  await using service = await startWatched(smallHeap);
  const { folder, git, write } = cloneIn(service.home);
  write('a/A.csproj', '<PackageReference '.repeat(41_000));
  write('b/B.csproj', `<Project>${'<!--'.repeat(185_000)}`);
  write('c/C.csproj', `<Project><Version>${' '.repeat(740_000)}</Project>`);
  git('commit', '-qm', 'Begin');
  await bindDependency(service.url, folder);
  await vi.waitFor(
    async () => expect((await evidenceOf(service.url)).detail).toBe('main does not use sdk yet'),
    120_000,
  );
  await expectNeverStill(service);
});

test('manifests of 60 MB that pack to nothing are told, not read, and the service lives on', async () => {
  await using service = await startWatched(smallHeap);
  const { folder, git } = cloneIn(service.home);
  for (let number = 0; number < 12; number += 1) {
    mkdirSync(join(folder, `m${number}`));
    writeFileSync(join(folder, `m${number}`, 'package.json'), ' '.repeat(60_000_000 + number));
  }
  execFileSync('git', ['add', '.'], { cwd: folder });
  git('commit', '-qm', 'Begin');
  await bindDependency(service.url, folder);
  await vi.waitFor(
    async () => expect((await evidenceOf(service.url)).detail).toBe('m0/package.json is too large to be read'),
    120_000,
  );
  expect(service.child.exitCode).toBe(null);
  await expectNeverStill(service);
});

test('a batch that names 20,000 runs holds up no ping', async () => {
  await using service = await startWatched(smallHeap);
  const console = caller(service.consoleUrl);
  const events = Array.from({ length: 20_000 }, (_, number) => ({ type: 'run_finished', runId: `r${number}` }));
  const { status, body } = await console('POST', '/api/ingest', { events });
  expect([status, body.accepted + body.rejected.length]).toEqual([202, 20_000]);
  await expectNeverStill(service);
});

test('a plan file of nested lists is read elsewhere, also a short one', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-plans-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const nested = `${' - '.repeat(12)}[]`;
  for (const length of [17_000, 4_000])
    writeFileSync(join(home, `p${length}.yaml`), nested.repeat(length / nested.length));
  await using service = await startWatched({ ...smallHeap, Service__PlansPath: home });
  const { status, body } = await caller(service.url)('POST', '/api/plans/rescan', {});
  expect([status, body.failed.length]).toEqual([200, 2]);
  await expectNeverStill(service);
});
