import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { createLog } from '../../packages/service/src/app/log.ts';
import { startService } from '../../packages/service/src/app/service.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { createAgentHome, finalAnswer } from '../agents/agent-home.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { passTurns } from '../hub/announcing.ts';
import { viaSocket } from '../hub/clients.ts';
import { smallRun } from '../recorded-run.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

verifies('listen:missing-family-skipped', 'an address that this machine lacks is left out with one line', async () => {
  const home = await newFolder();
  const env = { PORT: '0,0', HOME: home, Service__Token: 'a-secret-of-this-test' };
  const { config } = readConfig({ env, args: [], cwd: home, home });
  let text = '';
  const stream = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  // An address from the documentation range: no machine has it, just as some machines have no ::1.
  const hosts = ['127.0.0.1', '2001:db8::1'];
  const running = await startService({ ...config, hosts }, { clock: createSettableClock(), log: createLog(stream) });
  try {
    expect(running.coordination.addresses).toEqual(['127.0.0.1']);
    expect((await fetch(`${running.coordination.url.replace('localhost', '127.0.0.1')}/api/ping`)).status).toBe(200);
    const lines = text.split('\n').filter((line) => line.includes('2001:db8::1'));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'run console: this machine has no address 2001:db8::1, so the service does not listen on it',
      'coordination: this machine has no address 2001:db8::1, so the service does not listen on it',
    ]);
  } finally {
    await running.stop();
  }
});

verifies(
  'config:plans-path',
  'the plans in the directory of PlansPath are there after the start, and what was made since stays',
  async () => {
    const home = await newFolder();
    const PlansPath = join(home, 'plans');
    await mkdir(PlansPath);
    await writeFile(
      join(PlansPath, 'shop.yaml'),
      'plan: shop\ntitle: Shop\nnodes:\n  - id: lexer\n  - id: parser\n    dependsOn: [lexer]\n',
    );
    await writeFile(join(PlansPath, 'broken.json'), '{');
    await using first = await start({ home, settings: { PlansPath } });
    const nodes = async (service: typeof first) =>
      (await service.call('GET', '/api/plans/shop')).body.nodes.map(({ id }: { id: string }) => id);
    expect(await nodes(first)).toEqual(['lexer', 'parser']);
    expect(first.logged()).toContain('broken.json');
    await first.call('POST', '/api/plans/shop/nodes', { id: 'added' });
    await first.stop();
    await using second = await start({ home, settings: { PlansPath } });
    expect((await nodes(second)).sort()).toEqual(['added', 'lexer', 'parser']);
  },
);

verifies(
  ['link:strong-to-no-other', 'repositories:listed-by-tree', 'hub:agents-changed'],
  'a claim that names its session is linked to no other; a repository that only a tree names is listed; both are told',
  async () => {
    const clock = createSettableClock();
    await using scene = await createAgentHome(() => clock.wall());
    await using service = await start({ settings: { SessionsPath: scene.config, HostName: 'box' }, clock });
    await using hub = await viaSocket(service);
    const shop = await scene.repository('shop', 'acme/shop');
    const session = await scene.session(1, shop);
    await session.reportStatus('busy');
    clock.advance(2000);
    await service.call('POST', '/api/agents/hooks', {});
    const { data } = await hub.untilOne(({ type }) => type === 'agents_changed');
    expect(data).toEqual({ sessions: [session.sessionId], trees: [shop] });

    const { body: listed } = await service.call('GET', '/api/repositories');
    expect(listed).toMatchObject([{ owner: 'acme', name: 'shop', registeredAt: null }]);

    await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes: [{ id: 'a' }, { id: 'b' }] });
    const claim = (node: string, more: object) =>
      service.call('POST', `/api/plans/p/nodes/${node}/claim`, { agent: 'ada', ...more });
    await claim('a', { session: '99999999-0000-4000-8000-000000000000' });
    const named = (await service.call('GET', '/api/plans/p/status')).body.nodes[0];
    expect(named.claim).toMatchObject({ correlation: 'strong', sessionId: null, health: 'unlinked' });
    await claim('b', {});
    clock.advance(2000);
    await clock.tick();
    const linked = async () => (await service.call('GET', '/api/plans/p/status')).body.nodes[1].claim;
    await expect.poll(async () => (await linked()).linkedBy).toBe('inferred');
    expect(await linked()).toMatchObject({ correlation: 'inferred', sessionId: session.sessionId });
    await session.appendRecord(finalAnswer);
  },
);

verifies(
  ['remote:hub', 'reads:say-their-age'],
  'the hub tells what moves on the console that PublisherUrl names, and what is read while it is away says its age',
  async () => {
    const far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    await using hub = await viaSocket(near);
    // Both clocks are stopped: polling is triggered until the message arrives.
    const until = async (type: string) => {
      for (;;) {
        far.clock.advance(1000);
        await far.clock.tick();
        near.clock.advance(5000);
        await near.clock.tick();
        await passTurns();
        const heard = hub.heard.find((message) => message.type === type);
        if (heard) return heard;
      }
    };
    await near.call('GET', '/api/runs');
    await far.console('POST', '/api/ingest', { events: smallRun('r1') });
    expect(await until('run_changed')).toMatchObject({ subject: 'r1' });
    await far.console('PUT', '/api/event-model/web', { name: 'Shop', chapters: [] });
    await until('event_model_changed');
    await far.console('DELETE', '/api/runs/r1');
    expect((await until('run_ejected')).data).toEqual({ runIds: ['r1'] });

    expect((await near.call('GET', '/api/agents')).body.observedAt).toBe(new Date(near.clock.wall()).toISOString());
    await far[Symbol.asyncDispose]();
    let answer = await near.call('GET', '/api/runs');
    while (answer.headers.get('age') === null) {
      near.clock.advance(5000);
      await near.clock.tick();
      answer = await near.call('GET', '/api/runs');
    }
    expect(Number(answer.headers.get('age'))).toBeGreaterThanOrEqual(0);
  },
);

verifies('await:timeout-default', 'an await tool waits for 40 seconds by default', async () => {
  const { call, clock } = await openInMemoryWork();
  await call('create_plan', { document: { plan: 'p', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } });
  for (const [tool, input] of [
    ['await_node', { plan: 'p', node: 'a' }],
    ['await_dependencies', { plan: 'p', node: 'b' }],
  ] as const) {
    let over = false;
    const waited = call(tool, input).finally(() => (over = true));
    await passTurns();
    clock.advance(39_999);
    await clock.tick();
    await passTurns();
    expect(over).toBe(false);
    clock.advance(1);
    await clock.tick();
    expect(await waited).toMatchObject({ outcome: 'timeout', waitedSeconds: 40 });
  }
});

verifies(
  'disk:no-symlink-out',
  'a link that leads out of its folder is neither read nor written through, wherever a file is expected',
  async () => {
    const home = await newFolder();
    const data = join(home, '.signalbox');
    const outside = join(home, 'outside');
    const secret = JSON.stringify({
      source: 'web',
      pushedAt: '2026-01-01T00:00:00.000Z',
      descriptor: { name: 'Secret', chapters: [] },
    });
    await writeFile(outside, secret);
    await mkdir(join(data, 'runs'), { recursive: true });
    await mkdir(join(data, 'event-models'), { recursive: true });
    await mkdir(join(home, 'plans'));
    await symlink(outside, join(data, 'runs', 'r1.ndjson'));
    await symlink(outside, join(data, 'event-models', 'web.json'));
    await symlink(outside, join(home, 'plans', 'linked.json'));
    await using service = await start({ home, settings: { PlansPath: join(home, 'plans') } });
    expect((await service.console('GET', '/api/runs/r1')).status).toBe(404);
    expect((await service.console('GET', '/api/event-model')).status).toBe(404);
    expect((await service.call('GET', '/api/plans')).body).toEqual([]);
    expect((await service.console('POST', '/api/ingest', { events: smallRun('r1') })).status).toBe(503);
    expect((await service.console('PUT', '/api/event-model/web', { name: 'Mine', chapters: [] })).status).toBe(204);
    expect((await service.console('GET', '/api/event-model')).body.name).toBe('Mine');
    expect(await readFile(outside, 'utf8')).toBe(secret);
    expect(service.logged()).toContain('linked.json');
  },
);
