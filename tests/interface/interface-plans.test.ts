import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { type InterfaceClient, openInterface } from './client.ts';
import { promises } from './promises.ts';

let plansPath: string;
let on: InterfaceClient;
beforeAll(async () => {
  plansPath = await mkdtemp(join(tmpdir(), 'plans-'));
  await mkdir(plansPath, { recursive: true });
  await writeFile(join(plansPath, 'files.yaml'), 'plan: files\nnodes: [{ id: one }, { id: two }]\n');
  on = await openInterface({ PlansPath: plansPath });
});
afterAll(async () => {
  await on[Symbol.asyncDispose]();
  await rm(plansPath, { recursive: true, force: true });
});

const suite = { kind: 'suite' };

promises(
  ['1.9', '2.7', '2.8', '2.10', '2.11', '2.12', '3.9', '3.10', '3.11', '3.12', '3.13', '4.4', '4.5', '7.1', '7.4'],
  'the work loop is exact to the letter, by REST and by MCP',
  async () => {
    for (const [door, loop] of Object.entries(on.doors)) {
      const plan = `loop-${door}`;
      await on.call('POST', '/api/plans', { plan, nodes: [{ id: 'n', binding: suite }] });
      const now = Date.parse(new Date(on.clock.wall()).toISOString());
      const claimed = await loop('claim', plan, 'n', { agent: 'ada' });
      expect(claimed.status, door).toBe(200);
      expect(claimed.body).toMatchObject({ claimed: true, node: { id: 'n', claimedBy: 'ada' } });
      expect(claimed.body).toHaveProperty('readyWarning', null);
      expect(Date.parse(claimed.body.expiresAt) - now).toBe(30 * 60_000);
      const conflict = await loop('claim', plan, 'n', { agent: 'bob', leaseMinutes: 5 });
      // Over MCP an answer also lists the members with texts of others.
      const { untrusted: _words, ...lost } = conflict.body;
      expect([conflict.status, lost]).toEqual([
        409,
        { claimed: false, heldBy: 'ada', heldUntil: claimed.body.expiresAt },
      ]);
      on.clock.advance(60_000);
      const reported = await loop('report', plan, 'n', { agent: 'ada', note: 'half way' });
      expect(Date.parse(reported.body.expiresAt)).toBe(Date.parse(claimed.body.expiresAt) + 60_000);
      await loop('report', plan, 'n', { agent: 'ada', note: 'nearly there' });
      expect((await on.status(plan, 'n')).claim).toMatchObject({ agent: 'ada', note: 'nearly there' });
      const stranger = await loop('report', plan, 'n', { agent: 'bob', note: 'mine' });
      expect([stranger.status, stranger.body.detail]).toEqual([409, expect.stringMatching(/claim/i)]);
      for (const what of ['claim', 'report', 'release'] as const) {
        expect((await loop(what, plan, 'n', { note: 'x' })).status, `${door} ${what}`).toBe(400);
      }
      expect((await loop('release', plan, 'n', { agent: 'ada' })).status).toBe(200);
      expect(await on.status(plan, 'n')).toMatchObject({ status: 'ready', claim: null });
      // Another agent can claim a node whose lease has expired.
      await loop('claim', plan, 'n', { agent: 'ada', leaseMinutes: 1 });
      on.clock.advance(61_000);
      expect((await loop('claim', plan, 'n', { agent: 'bob' })).status).toBe(200);
    }
  },
);

promises(
  ['2.3', '2.4', '2.6', '4.3', '4.6', '4.7', '4.10', '7.2', '1.10'],
  'ready work comes by leverage, by both doors, with who holds it; what is not ready is claimed with a warning',
  async () => {
    await on.call('POST', '/api/plans', {
      plan: 'lever',
      nodes: [{ id: 'leaf' }, { id: 'root' }, { id: 'mid', dependsOn: ['root'] }, { id: 'top', dependsOn: ['mid'] }],
    });
    await on.call('POST', '/api/plans', { plan: 'other', nodes: [{ id: 'far', dependsOn: ['lever/leaf'] }] });
    await on.doors.rest('claim', 'lever', 'leaf', { agent: 'ada' });
    const rest = (await on.get('/api/plans/ready?plan=lever')).body;
    expect(rest.map(({ id }: { id: string }) => id)).toEqual(['root', 'leaf']);
    expect('claimedBy' in rest[0]).toBe(false);
    expect(rest[1].claimedBy).toBe('ada');
    const tool = (await on.tool('next_ready_nodes', { plan: 'lever', view: 'full' })).body.items;
    expect(tool.map(({ id }: { id: string }) => id)).toEqual(['root', 'leaf']);
    expect((await on.get('/api/plans/ready')).body.length).toBeGreaterThan(2);
    expect((await on.get('/api/plans/ready?plan=nowhere')).status).toBe(404);
    expect((await on.tool('next_ready_nodes', { plan: 'nowhere' })).status).toBe(404);
    const { nodes, ready } = (await on.get('/api/plans/lever/status')).body;
    expect(Object.fromEntries(nodes.map(({ id, status }: Record<string, string>) => [id, status]))).toEqual({
      leaf: 'claimed',
      root: 'ready',
      mid: 'blocked',
      top: 'blocked',
    });
    expect(ready).toEqual(expect.arrayContaining(['root']));
    expect((await on.status('other', 'far')).status).toBe('blocked');
    const early = await on.doors.rest('claim', 'lever', 'top', { agent: 'eve' });
    expect([early.status, early.body.claimed]).toEqual([200, true]);
    expect(early.body.readyWarning).not.toBeNull();
    for (const loop of Object.values(on.doors)) {
      expect((await loop('claim', 'nowhere', 'n', { agent: 'ada' })).status).toBe(404);
      expect((await loop('claim', 'lever', 'nothing', { agent: 'ada' })).status).toBe(404);
    }
  },
);

promises(
  ['3.14', '7.1', '1.17', '2.5'],
  'a node is finished by its suite passing, never by release, and then it is not claimed',
  async () => {
    await on.call('POST', '/api/plans', { plan: 'proof', nodes: [{ id: 'n', binding: suite }] });
    await on.doors.rest('claim', 'proof', 'n', { agent: 'ada' });
    expect((await on.status('proof', 'n')).claim.health).toBe('unlinked');
    await on.doors.rest('release', 'proof', 'n', { agent: 'ada' });
    expect((await on.status('proof', 'n')).status).toBe('ready');
    await on.ingest(smallRun('proof-1', { tag: 'proof/n' }));
    expect((await on.status('proof', 'n')).status).toBe('done');
    for (const loop of Object.values(on.doors))
      expect((await loop('claim', 'proof', 'n', { agent: 'ada' })).status).toBe(400);
  },
);

promises(
  [
    '1.8',
    '2.1',
    '2.2',
    '4.8',
    '4.9',
    '4.11',
    '4.12',
    '4.13',
    '4.14',
    '4.15',
    '4.16',
    '4.17',
    '4.19',
    '5.4',
    '6.1',
    '7.3',
  ],
  'plans are authored, read, diffed, archived, and tell who did what',
  async () => {
    const made = await on.call('POST', '/api/plans?by=ann', { slug: 'dag', nodes: [{ id: 'a' }, { id: 'b' }] });
    expect([made.status, made.body.slug]).toEqual([201, 'dag']);
    const at = '/api/plans/dag';
    expect((await on.call('POST', `${at}/nodes?by=ann`, { id: 'c' })).status).toBe(201);
    expect((await on.call('POST', `${at}/nodes?by=ann`, { id: 'c' })).status).toBe(409);
    expect((await on.call('PUT', `${at}/nodes/c?by=bob`, { title: 'See' })).body.title).toBe('See');
    expect((await on.call('POST', `${at}/nodes/b/depends-on?by=ann`, { dependsOn: 'a' })).status).toBe(200);
    expect((await on.call('POST', `${at}/nodes/b/depends-on?by=ann&dependsOn=lever/leaf`)).status).toBe(200);
    expect((await on.call('POST', `${at}/nodes/a/depends-on`, { dependsOn: 'b' })).status).toBe(400);
    expect((await on.call('DELETE', `${at}/nodes/b/depends-on?dependsOn=lever/leaf&by=ann`)).status).toBe(200);
    expect((await on.call('POST', `${at}/nodes/a/bind?by=ann`, suite)).body.binding).toMatchObject(suite);
    const full = (await on.get(at)).body;
    expect(full).toMatchObject({ slug: 'dag', edges: [{ from: 'a', to: 'b' }] });
    expect(full.nodes.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c']);
    expect((await on.call('DELETE', `${at}/nodes/c?by=ann`)).status).toBe(204);
    const diff = await on.call('PUT', `${at}?by=ann&dryRun=true`, { nodes: [{ id: 'a' }, { id: 'd' }] });
    expect(diff.body).toMatchObject({ added: ['d'], removed: ['b'] });
    expect((await on.call('PUT', `${at}?by=ann`, full)).status).toBe(200);
    expect((await on.tool('add_node', { plan: 'dag', id: 'e', by: 'cy' })).status).toBe(200);
    const history = (await on.get(`${at}/history`)).body;
    const acts = history.map(({ by, at: when }: Record<string, string>) => [by, Number.isNaN(Date.parse(when ?? ''))]);
    expect(new Set(acts.map(([by]: [string]) => by))).toEqual(new Set(['ann', 'bob', 'cy']));
    expect(acts.some(([, isBad]: [string, boolean]) => isBad)).toBe(false);
    expect((await on.get('/api/plans/nowhere/history')).status).toBe(404);
    expect((await on.call('DELETE', `${at}?by=ann`)).status).toBe(200);
    const active = (await on.get('/api/plans')).body.map(({ slug }: { slug: string }) => slug);
    expect(active).not.toContain('dag');
    expect(active).toContain('lever');
  },
);

promises(['4.18', '4.20'], 'a rescan adds and changes, keeps what the file lacks, and names it', async () => {
  expect((await on.get('/api/plans/files')).body.nodes).toHaveLength(2);
  await on.call('POST', '/api/plans/files/nodes', { id: 'apiwork' });
  await writeFile(join(plansPath, 'files.yaml'), 'plan: files\nnodes: [{ id: one, title: One }, { id: three }]\n');
  const { imported } = (await on.call('POST', '/api/plans/rescan?by=ann')).body;
  expect(imported).toMatchObject([{ slug: 'files', added: ['three'], removed: [], changed: [{ id: 'one' }] }]);
  expect([...imported[0].kept].sort()).toEqual(['apiwork', 'two']);
});

promises(['2.18', '4.21', '4.22'], 'repositories are read over REST and written by tools', async () => {
  const repository = { owner: 'acme', name: 'shop' };
  expect((await on.tool('register_repository', { ...repository, paths: [on.home] })).status).toBe(200);
  expect((await on.tool('note_repository', { ...repository, text: 'Tests need a port.' })).status).toBe(200);
  expect((await on.get('/api/repositories')).body).toMatchObject([{ owner: 'acme', name: 'shop' }]);
  expect((await on.get('/api/repositories/acme/shop')).body).toMatchObject(repository);
  expect((await on.get('/api/repositories/acme/none')).status).toBe(404);
});
