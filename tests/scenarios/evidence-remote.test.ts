import { join } from 'node:path';
import { expect } from 'vitest';
import { coordinationTable } from '../../packages/service/src/coordination/registry.ts';
import { callInProcess } from '../../testing/in-process-call.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const suite = { plan: 'p', nodes: [{ id: 'n', binding: { kind: 'suite' } }] };
const at = '2026-01-01T09:00:01.000Z';
const run = { runId: 'r1' };
const passing = [
  {
    type: 'run_started',
    ...run,
    suite: 'unit',
    repository: '/src',
    mode: 'in-process',
    tag: 'p/n',
    startedAt: '2026-01-01T09:00:00.000Z',
  },
  { type: 'scenario_finished', ...run, uid: 'Cart/total', outcome: 'CleanPass', attempts: 1, durationMs: 5, at },
  {
    type: 'run_finished',
    ...run,
    passed: 1,
    failed: 0,
    passedOnRetry: 0,
    indeterminate: 0,
    exitCode: 0,
    finishedAt: at,
  },
];

async function nodeOf({ call, clock }: Started) {
  clock.advance(60_000);
  await clock.tick();
  await clock.tick();
  return (await call('GET', '/api/plans/p/status')).body.nodes[0];
}

verifies(
  ['remote:proves-nodes', 'remote:away-evidence-stays'],
  'a run of the console that PublisherUrl names proves a node, and goes on proving it while that console is away',
  async () => {
    const far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    await near.call('POST', '/api/plans', suite);
    await near.console('POST', '/api/ingest', { events: passing.map((event) => ({ ...event, runId: 'local' })) });
    expect((await nodeOf(near)).evidence.state).toBe('notObserved');
    await far.console('POST', '/api/ingest', { events: passing });
    await nodeOf(near);
    expect(await nodeOf(near)).toMatchObject({ status: 'done', evidence: { state: 'passed', runId: 'r1' } });
    await far[Symbol.asyncDispose]();
    expect(await nodeOf(near)).toMatchObject({ status: 'done', evidence: { state: 'passed' } });
  },
);

verifies(
  'observe:in-memory-without-publisher-url',
  'without PublisherUrl the console of the same process proves nodes',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', suite);
    await service.console('POST', '/api/ingest', { events: passing });
    expect((await nodeOf(service)).status).toBe('done');
  },
);

verifies('hub:repository-changed', 'a change of a repository is announced by its name', async () => {
  await using service = await start();
  const heard: unknown[] = [];
  service.running.announcements.listen((message) => heard.push(message));
  const call = callInProcess(coordinationTable, service.running.coordination.ctx);
  await call('note_repository', { owner: 'acme', name: 'shop', text: 'x' });
  expect(heard).toContainEqual({
    type: 'repository_changed',
    data: { owner: 'acme', name: 'shop' },
  });
});

verifies(
  'licence:private-key-nowhere',
  'the private key of the community licence is not in the repository',
  async () => {
    const { communityKey } = await import('../../packages/service/src/app/open-licence.ts');
    expect(communityKey).not.toHaveProperty('d');
    const { spawnSync } = await import('node:child_process');
    const asked = ['grep', '-lE', '"d" ?: ?"[A-Za-z0-9_-]{43}"', '--', '.'];
    const found = spawnSync('git', asked, {
      encoding: 'utf8',
      cwd: join(import.meta.dirname, '..', '..'),
    }).stdout.trim();
    expect(found).toBe('');
  },
);
