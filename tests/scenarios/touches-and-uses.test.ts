import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { unobservedLinks } from '../../packages/service/src/coordination/work/claim-session.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { signalbox } from '../spawn.ts';
import { collisionScene, numbered } from '../trees/collision-scene.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const binding = { kind: 'signOff' };
const nine = Date.UTC(2026, 0, 1, 9);

verifies.each(transports)(
  ['foretold:members'],
  'a node takes touches and uses in a document, one by one, and gives them back',
  async (door) => {
    await using on = await startWithTransport(door);
    const written = { touches: ['src/price/**'], uses: ['port:3000', 'db:dev'] };
    await on.call('create_plan', { document: { plan: 'shop', nodes: [{ id: 'lexer', ...written }] } });
    expect(await on.call('node_status', { plan: 'shop', node: 'lexer' })).toMatchObject({ ...written, touched: [] });
    await on.call('add_node', { plan: 'shop', id: 'parser', touches: ['docs/'] });
    await on.call('update_node', { plan: 'shop', node: 'lexer', touches: ['src/*.ts'], uses: null });
    const { nodes } = await on.call('get_plan', { plan: 'shop' });
    expect(nodes).toMatchObject([
      { id: 'lexer', touches: ['src/*.ts'], uses: [] },
      { id: 'parser', touches: ['docs/'], uses: [] },
    ]);
    const { changed } = await on.call('import_plan', {
      plan: 'shop',
      document: { nodes: [{ id: 'lexer', touches: ['src/*.ts'], uses: ['browser'] }, { id: 'parser' }] },
    });
    expect(changed).toEqual([
      { id: 'lexer', fields: ['uses'] },
      { id: 'parser', fields: ['touches'] },
    ]);
    const refused = await on.service.call('POST', '/api/plans/shop/nodes', { id: 'bad', touches: ['/etc/passwd'] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  },
);

verifies.each(transports)(
  ['foretold:uses-passed', 'foretold:warned', 'foretold:why'],
  'what a live claim uses is not handed out to another one, in any plan, and the answers name the holder',
  async (door) => {
    await using on = await startWithTransport(door, { clock: createSettableClock(nine) });
    await on.call('create_plan', { document: { plan: 'shop', nodes: [{ id: 'cart', binding, uses: ['port:3000'] }] } });
    const nodes = [
      { id: 'first', binding, priority: 'urgent', uses: ['db:dev', 'PORT:3000'] },
      { id: 'second', binding },
    ];
    await on.call('create_plan', { document: { plan: 'docs', nodes } });
    await on.call('claim_node', { plan: 'shop', node: 'cart', agent: 'bob', leaseMinutes: 80 });
    const used = 'PORT:3000 is used by shop/cart (bob) until 10:20 UTC';
    const { why } = await on.call('node_status', { plan: 'docs', node: 'first' });
    expect(why).toContain(`${used}: claim_next skips it until then.`);
    const next = await on.call('claim_next', { agent: 'ada' });
    expect(next).toMatchObject({ claimed: true, node: { ref: 'docs/second' }, readyWarning: null });
    expect(next.why).toBe(`Skipped: docs/first (${used}).`);
    const nothing = await on.call('claim_next', { agent: 'eve' });
    expect(nothing).toMatchObject({ claimed: false, reason: 'nothing_ready', why: `Skipped: docs/first (${used}).` });
    const taken = await on.call('claim_node', { plan: 'docs', node: 'first', agent: 'eve' });
    expect(taken.readyWarning).toEqual({ message: `${used}.`, waitingFor: [] });
    await on.call('release_node', { plan: 'docs', node: 'first', agent: 'eve' });
    await on.call('release_node', { plan: 'shop', node: 'cart', agent: 'bob' });
    const free = await on.call('claim_next', { agent: 'eve' });
    expect(free).toMatchObject({ node: { ref: 'docs/first' }, readyWarning: null });
  },
);

verifies.each(transports)(
  ['foretold:touches-preferred'],
  'a node that touches what a live claim touches comes after those of its priority that do not',
  async (door) => {
    await using on = await startWithTransport(door, { clock: createSettableClock(nine) });
    const nodes = [
      { id: 'urgent', binding, priority: 'urgent', touches: ['src/price/tokens.ts'] },
      { id: 'waiting', binding, dependsOn: ['leverage'], touches: ['docs/**'] },
      { id: 'leverage', binding, touches: ['src/price/parse.ts'] },
      { id: 'apart', binding, touches: ['docs/**'] },
      { id: 'low', binding, priority: 'low' },
    ];
    await on.call('create_plan', { document: { plan: 'shop', repository: 'acme/shop', nodes } });
    const other = { plan: 'other', repository: 'acme/other', nodes: [{ id: 'same', binding, touches: ['**'] }] };
    await on.call('create_plan', {
      document: { plan: 'cart', repository: 'acme/shop', nodes: [{ id: 'price', touches: ['src/price/'] }] },
    });
    await on.call('create_plan', { document: other });
    await on.call('claim_node', { plan: 'cart', node: 'price', agent: 'bob' });
    const { why } = await on.call('node_status', { plan: 'shop', node: 'leverage' });
    expect(why).toContain('src/price/parse.ts is touched by cart/price (bob) until 09:30 UTC');
    const order: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      const { node, readyWarning } = await on.call('claim_next', { agent: 'ada', plan: 'shop' });
      order.push(`${node.id}${readyWarning ? ', warned' : ''}`);
    }
    expect(order).toEqual(['urgent, warned', 'apart', 'leverage, warned', 'low']);
    expect(await on.call('claim_next', { agent: 'ada' })).toMatchObject({ node: { id: 'same' }, readyWarning: null });
  },
);

verifies(
  ['foretold:uses-host'],
  'a port of another host is free, and one of a host that is not known is not',
  async () => {
    const hostOf = (session: string | null) => session?.split('/')[0] ?? null;
    const links = {
      ...unobservedLinks,
      hostOf: ({ lease }: { lease: { session: string | null } }) => hostOf(lease.session),
    };
    const { call } = await openInMemoryWork({ links, sessions: { hostOf } });
    const uses = (id: string, name: string) => ({ id, binding, uses: [name] });
    const nodes = [uses('a', 'port:1'), uses('b', 'port:1'), uses('c', 'browser'), uses('d', 'browser')];
    await call('create_plan', { document: { plan: 'p', nodes: [...nodes, uses('e', 'db'), uses('f', 'db')] } });
    await call('claim_node', { plan: 'p', node: 'a', agent: 'ada', session: 'box/1' });
    await call('claim_node', { plan: 'p', node: 'c', agent: 'ada' });
    await call('claim_node', { plan: 'p', node: 'e', agent: 'ada', session: 'box/1' });
    expect(await call('claim_next', { agent: 'bob', session: 'box/2' })).toMatchObject({ claimed: false });
    expect(await call('claim_next', { agent: 'bob' })).toMatchObject({ claimed: false });
    expect(await call('claim_next', { agent: 'bob', session: 'other/2' })).toMatchObject({ node: { id: 'b' } });
    const again = await call('claim_next', { agent: 'bob', session: 'other/2' });
    expect(again.why).toMatch(/p\/d \(browser is used by p\/c .*p\/f \(db is used by p\/e/);
  },
);

verifies(
  ['foretold:suggested'],
  'what the tree of a claim changed since it was made is kept with the node as touched',
  async () => {
    const { ada, open, clock } = await collisionScene();
    await ada.write('src/before.ts', 'made before the claim\n');
    await using service = await open();
    const changed = async () =>
      (await service.call('GET', '/api/changes')).body.items[0]?.trees
        .find(({ root }: { root: string }) => root === ada.tree)
        ?.files.map(({ path }: { path: string }) => path)
        .sort();
    await expect.poll(changed).toEqual(['src/before.ts']);
    await service.call('POST', '/api/plans', { plan: 'shop', repository: 'acme/shop', nodes: [{ id: 'lexer' }] });
    const as = { agent: 'ada', session: ada.session.sessionId };
    const node = '/api/plans/shop/nodes/lexer';
    clock.advance(10);
    await service.call('POST', `${node}/claim`, as);
    await ada.write('src/price.ts', numbered(40, { 3: 'three' }));
    await expect.poll(changed).toEqual(['src/before.ts', 'src/price.ts']);
    await service.call('POST', `${node}/release`, as);
    expect((await service.call('GET', node)).body).toMatchObject({ touches: [], touched: ['src/price.ts'] });
  },
);

verifies(
  ['foretold:checked'],
  'plans check warns of parallel nodes that touch the same, with their place',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-'));
    const file = join(home, 'shop.yaml');
    writeFileSync(
      file,
      [
        'plan: shop',
        'nodes:',
        '  - id: lexer',
        '    touches: [src/price/**]',
        '  - id: parser',
        '    touches: [src/price/parse.ts]',
        '    dependsOn: [lexer]',
        '  - id: refund',
        '    touches: ["src/**/parse.ts"]',
      ].join('\n'),
    );
    await using spawned = signalbox(['plans', 'check', file], {}, home);
    expect(await spawned.ended).toBe(0);
    const stdout = spawned.out();
    expect(stdout).toContain(`${file}:9:5: nodes[2].touches: warning: shop/refund and shop/lexer can be worked on`);
    expect(stdout).toContain('shop/refund and shop/parser');
    expect(stdout).not.toContain('shop/parser and shop/lexer');
  },
);
