import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archiveFilesIn, readArchivedPlan } from '../../packages/service/src/app/archive-files.ts';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { moveArchivedPlans } from '../../packages/service/src/app/move-archived-plans.ts';
import { createProjections } from '../../packages/service/src/app/projections.ts';
import { snapshotsIn } from '../../packages/service/src/app/snapshot-file.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import type { CountedLog } from '../../packages/service/src/store/group-commit.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import type { Snapshots } from '../../packages/service/src/store/snapshot.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';
import type { SettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { rounds } from '../rounds.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-archive-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const often = (): Snapshots => ({ ...snapshotsIn(folder), every: { running: 50, atEnd: 1 } });
const archive = () => join(folder, 'archive');
const sqlite = (snapshots?: Snapshots) =>
  openSqliteLog({
    path: join(folder, 'signalbox.sqlite'),
    clock: systemClock,
    archive: archiveFilesIn(folder),
    snapshots,
  });
const configOf = (Store = 'sqlite') =>
  readConfig({ env: { Service__DataPath: folder, Service__Store: Store }, args: [], cwd: folder, home: folder }).config;
const silent = { info: () => undefined, warn: (details: object) => Promise.reject(details) } as never;
const aMoment = 1e-9;

const openWork = (log: CountedLog) => openInMemoryWork({ clock: systemClock as SettableClock, log });
type Work = Awaited<ReturnType<typeof openWork>>;

async function must(work: Work, command: string, input: object): Promise<void> {
  const answer = await work.call(command, input);
  if (isRefusal(answer)) throw new Error(`${command}: ${answer.detail}`);
}

/** Plans whose events alternate in the log, every second one archived. */
async function fill(log: CountedLog, plans: number): Promise<void> {
  const work = await openWork(log);
  const slugs = Array.from({ length: plans }, (_, index) => `plan-${index}`);
  for (const plan of slugs) await must(work, 'create_plan', { document: { plan, nodes: [{ id: 'a' }, { id: 'b' }] } });
  for (const plan of slugs) await must(work, 'claim_node', { plan, node: 'a', agent: 'ada' });
  for (const plan of slugs) await must(work, 'report_node', { plan, node: 'a', agent: 'ada', note: `of ${plan}` });
  for (const plan of slugs) await must(work, 'release_node', { plan, node: 'a', agent: 'ada' });
  for (const plan of slugs.filter((_, index) => index % 2 === 0)) await must(work, 'archive_plan', { plan });
  await pause(5);
}

async function slugsOf(log: CountedLog): Promise<string[]> {
  const { workState } = createProjections();
  await log.attach(workState);
  return [...workState.plans.all()].map(({ slug }) => slug).sort();
}

async function moveAll(log: CountedLog): Promise<void> {
  const { workState } = createProjections();
  await log.attach(workState);
  await moveArchivedPlans(log, workState.plans, aMoment, silent);
}

const stores: [string, (url: string, snapshots?: Snapshots) => Promise<CountedLog>][] = [
  ['SQLite', async (_, snapshots) => sqlite(snapshots)],
  ['PostgreSQL', (url, snapshots) => openPostgresLog({ url, clock: systemClock, snapshots })],
];

test.each(stores)(
  'archived plans leave the log of %s whole and are read back; the others are as before',
  async (name, open) => {
    const url = name === 'SQLite' ? 'sqlite' : await cloneDatabase();
    const first = await open(url, often());
    await fill(first, 6);
    const told = await first.readTopic('plan:plan-2');
    await moveAll(first);
    expect(await slugsOf(first)).toEqual(['plan-1', 'plan-3', 'plan-5']);
    expect((await first.readTopic('plan:plan-2')).map(({ type }) => type)).toEqual(['plan_moved']);
    await first.close();

    const second = await open(url, often());
    const work = await openWork(second);
    expect((await work.call('plan_status', { plan: 'plan-2' })).code).toBe('plan_not_found');
    for (const plan of ['plan-1', 'plan-5']) await must(work, 'claim_node', { plan, node: 'a', agent: 'bob' });
    await must(work, 'create_plan', { document: { plan: 'plan-2', nodes: [{ id: 'a' }] } });
    await must(work, 'claim_node', { plan: 'plan-2', node: 'a', agent: 'bob' });
    await must(work, 'release_node', { plan: 'plan-2', node: 'a', agent: 'bob' });
    await must(work, 'archive_plan', { plan: 'plan-2' });
    await pause(5);
    await moveAll(second);
    await second.close();

    const third = await open(url, often());
    expect(await slugsOf(third)).toEqual(['plan-1', 'plan-3', 'plan-5']);
    await third.close();
    const kept = await readArchivedPlan(configOf(url), 'Plan-2');
    expect(kept.slice(0, told.length)).toEqual(told);
    expect(kept.slice(told.length).map(({ type }) => type)).toContain('plan_archived');
  },
);

test('another host reads the log again once a plan has left it', async () => {
  const url = await cloneDatabase();
  const [one, other] = [
    await openPostgresLog({ url, clock: systemClock }),
    await openPostgresLog({ url, clock: systemClock }),
  ];
  const there = await openWork(other);
  await fill(one, 2);
  await moveAll(one);
  await expect.poll(async () => (await there.call('plan_status', { plan: 'plan-0' })).code).toBe('plan_not_found');
  await must(there, 'claim_node', { plan: 'plan-1', node: 'a', agent: 'eve' });
  expect(other.following().epochChanges).toBe(1);
  await one.close();
  await other.close();
});

test('a plan that another waits for stays, and one whose archive cannot be written stays in the log', async () => {
  const log = sqlite();
  const work = await openWork(log);
  await must(work, 'create_plan', { document: { plan: 'base', nodes: [{ id: 'a' }] } });
  await must(work, 'create_plan', { document: { plan: 'lone', nodes: [{ id: 'a' }] } });
  await must(work, 'create_plan', { document: { plan: 'live', nodes: [{ id: 'a', dependsOn: ['base/a'] }] } });
  for (const plan of ['base', 'lone']) await must(work, 'archive_plan', { plan });
  await pause(5);
  writeFileSync(archive(), 'a file where the folder should be');
  const warnings: object[] = [];
  const { workState } = createProjections();
  await log.attach(workState);
  const logger = { info: () => undefined, warn: (details: object) => void warnings.push(details) } as never;
  await moveArchivedPlans(log, workState.plans, aMoment, logger);
  expect([warnings.length, await slugsOf(log)]).toEqual([1, ['base', 'live', 'lone']]);
  rmSync(archive());
  mkdirSync(archive());
  await moveAll(log);
  expect(await slugsOf(log)).toEqual(['base', 'live']);
  await log.close();
});

const kills = rounds(6, 60);
test(`killed ${kills} times while plans are moved, each plan is whole in the log or whole in the archive`, async () => {
  const plans = 40;
  const first = sqlite();
  await fill(first, plans);
  const told = new Map<string, number>();
  for (let index = 0; index < plans; index += 2)
    told.set(`plan-${index}`, (await first.readTopic(`plan:plan-${index}`)).length);
  await first.close();
  const random = randomOf(seedOfRun());
  for (let kill = 0; kill <= kills; kill += 1) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'move-until-killed.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    // The last process may end by itself.
    if (kill < kills) await pause(random.below(25)).then(() => child.kill('SIGKILL'));
    await exit;
    const log = sqlite();
    const inLog = new Set(await slugsOf(log));
    for (const [slug, events] of told) {
      const kept = await readArchivedPlan(configOf(), slug);
      if (inLog.has(slug)) expect(await log.readTopic(`plan:${slug}`), slug).toHaveLength(events);
      else expect(kept, slug).toHaveLength(events);
    }
    await log.close();
  }
  const log = sqlite();
  expect(await slugsOf(log)).toEqual(Array.from({ length: plans / 2 }, (_, index) => `plan-${2 * index + 1}`).sort());
  await log.close();
  expect(readdirSync(archive()).filter((name) => name.endsWith('.ndjson'))).toHaveLength(plans / 2);
  const [file = ''] = readdirSync(archive()).filter((name) => name.endsWith('-plan-0.ndjson'));
  writeFileSync(join(archive(), file), readFileSync(join(archive(), file), 'utf8').replace('ada', 'eve'));
  await expect(readArchivedPlan(configOf(), 'plan-0')).rejects.toThrow('differs from what was written');
});
