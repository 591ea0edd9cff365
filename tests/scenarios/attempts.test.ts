import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import type { Door } from '../coordination/call-through.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const signOff = { kind: 'signOff' };
const document = {
  plan: 'shop',
  maxAttempts: 3,
  nodes: [
    { id: 'lexer', binding: signOff, maxAttempts: 2 },
    { id: 'parser', binding: signOff, dependsOn: ['lexer'] },
    { id: 'prices', binding: signOff },
  ],
};
const at = (node: string, agent = 'ada') => ({ plan: 'shop', node, agent });
const nine = Date.UTC(2026, 0, 1, 9);
const iso = (time: number) => new Date(time).toISOString();
const seconds = (many: number) => many * 1000;

async function work(door: Door, settings: Record<string, string> = {}) {
  const staged = await startWithTransport(door, {
    clock: createSettableClock(nine),
    settings: { OrphanSeconds: '100000', ...settings },
  });
  const { call, clock } = staged;
  await call('create_plan', { document });
  return {
    ...staged,
    node: (id: string) => call('node_status', { plan: 'shop', node: id }),
    async fail(id: string, more: object = {}, agent = 'ada') {
      await call('claim_node', at(id, agent));
      return call('release_node', { ...at(id, agent), outcome: 'failed', ...more });
    },
    async letExpire(id: string) {
      await call('claim_node', { ...at(id), leaseMinutes: 1 });
      clock.advance(seconds(61));
    },
    async ready(): Promise<string[]> {
      const nodes: { id: string }[] = await call('next_ready_nodes', { plan: 'shop' });
      return nodes.map(({ id }) => id);
    },
    [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
  };
}

verifies.each(transports)(
  ['attempts:counted', 'attempts:limit', 'attempts:parked', 'attempts:need', 'attempts:reset', 'back-off:why'],
  'what fails as often as it may is parked: skipped, last in the ready lists, a need, until it is reset',
  async (door) => {
    await using on = await work(door);
    await on.fail('lexer', { note: 'the API is gone' });
    await on.letExpire('lexer');
    // Only the clock shows it: nothing has been written yet.
    const parked = await on.node('lexer');
    expect(parked).toMatchObject({ status: 'ready', ready: true, parked: 'attempts' });
    expect(parked.attempts).toEqual({
      failed: 2,
      limit: 2,
      last: [
        { agent: 'ada', at: iso(nine + seconds(60)), note: null, how: 'expired' },
        { agent: 'ada', at: iso(nine), note: 'the API is gone', how: 'failed' },
      ],
    });
    expect(parked.why).toContain('Parked: 2 attempts failed.');
    await on.clock.tick();
    expect(await on.ready()).toEqual(['prices', 'lexer']);
    const next = await on.call('claim_next', { agent: 'bob' });
    expect(next).toMatchObject({ claimed: true, node: { id: 'prices' } });
    expect(next.why).toBe('Skipped: shop/lexer (parked after 2 failed attempts).');
    expect(await on.call('claim_next', { agent: 'bob' })).toMatchObject({
      claimed: false,
      reason: 'nothing_ready',
      why: 'Skipped: shop/lexer (parked after 2 failed attempts).',
    });
    const { needs } = (await on.service.call('GET', '/api/needs')).body;
    expect(needs).toMatchObject([
      {
        kind: 'node_parked',
        ref: 'shop/lexer',
        detail: '2 attempts failed. ada let the lease expire; ada released it: the API is gone.',
        command: 'signalbox reset shop/lexer',
      },
    ]);
    expect(await on.call('reset_node', { plan: 'shop', node: 'lexer', by: 'eve' })).toMatchObject({ reset: true });
    expect(await on.call('reset_node', { plan: 'shop', node: 'lexer', by: 'eve' })).toMatchObject({ reset: false });
    expect(await on.node('lexer')).toMatchObject({ parked: null, attempts: { failed: 0, limit: 2, last: [] } });
    expect(await on.call('claim_next', { agent: 'bob' })).toMatchObject({ claimed: true, node: { id: 'lexer' } });
    const history: { says: string }[] = await on.call('plan_history', { plan: 'shop', only: 'claims' });
    expect(history.map(({ says }) => says)).toContain('eve reset the attempts of lexer.');
  },
);

verifies.each(transports)(
  ['attempts:parked', 'attempts:counted'],
  'a parked node can still be claimed by name; the last five attempts are kept, newest first',
  async (door) => {
    await using on = await work(door);
    for (let attempt = 1; attempt <= 7; attempt += 1) await on.fail('lexer', { note: `try ${attempt}` });
    const { attempts } = await on.node('lexer');
    expect([attempts.failed, attempts.limit]).toEqual([7, 2]);
    expect(attempts.last.map(({ note }: { note: string }) => note)).toEqual(
      [7, 6, 5, 4, 3].map((attempt) => `try ${attempt}`),
    );
  },
);

verifies.each(transports)(
  ['attempts:forgotten'],
  'a node that is done, or that its author changes, has no failed attempts',
  async (door) => {
    await using on = await work(door);
    const failed = async (id: string) => (await on.node(id)).attempts.failed;
    await on.fail('lexer');
    await on.call('update_node', { plan: 'shop', node: 'lexer', title: 'Lex it' });
    expect([await failed('lexer'), (await on.node('lexer')).notBefore]).toEqual([0, null]);
    await on.fail('lexer');
    await on.call('bind_node', { plan: 'shop', node: 'lexer', binding: { kind: 'signOff', who: 'eve' } });
    expect(await failed('lexer')).toBe(0);
    await on.fail('lexer');
    await on.call('sign_off_node', { plan: 'shop', node: 'lexer', by: 'eve' });
    expect(await failed('lexer')).toBe(0);
    await on.call('sign_off_node', { plan: 'shop', node: 'lexer', by: 'eve', revoke: true });
    expect(await on.node('lexer')).toMatchObject({ status: 'ready', attempts: { failed: 0 } });
  },
);

verifies('attempts:limit', 'the limit is of the node, else of the plan, else of the service', async () => {
  await using on = await work('rest', { MaxAttempts: '7' });
  const limit = async (plan: string, node: string) =>
    (await on.call('node_status', { plan, node })).attempts.limit as number;
  await on.call('create_plan', { document: { plan: 'other', nodes: [{ id: 'a' }] } });
  expect([await limit('shop', 'lexer'), await limit('shop', 'parser'), await limit('other', 'a')]).toEqual([2, 3, 7]);
  await on.call('update_node', { plan: 'shop', node: 'lexer', maxAttempts: null });
  expect(await limit('shop', 'lexer')).toBe(3);
  await on.call('import_plan', { plan: 'shop', document: { maxAttempts: 9 }, mode: 'seed' });
  expect(await limit('shop', 'lexer')).toBe(9);
  const { body } = await on.service.call('GET', '/api/plans/shop');
  expect([body.maxAttempts, body.nodes[0].maxAttempts]).toEqual([9, null]);
  const wrong = await on.call('update_node', { plan: 'shop', node: 'lexer', maxAttempts: 101 });
  expect(wrong).toMatchObject({ code: 'invalid_request' });
});

verifies.each(transports)(
  ['back-off:doubled', 'back-off:not-after-expiry', 'back-off:why'],
  'each failure makes the next attempt wait twice as long, up to half an hour; a lease that ran out makes nobody wait',
  async (door) => {
    await using on = await work(door);
    const waitedSeconds = async () => {
      const { notBefore } = await on.node('prices');
      return notBefore === null ? null : (Date.parse(notBefore) - on.clock.wall()) / 1000;
    };
    await on.letExpire('prices');
    expect(await waitedSeconds()).toBeNull();
    const waits: (number | null)[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await on.fail('prices');
      waits.push(await waitedSeconds());
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800]);
    await on.call('reset_node', { plan: 'shop', node: 'prices' });
    await on.fail('prices');
    await on.call('claim_node', at('lexer'));
    const until = iso(on.clock.wall() + seconds(30));
    expect(await on.call('claim_next', { agent: 'bob' })).toEqual({
      claimed: false,
      reason: 'nothing_ready',
      why: `Skipped: shop/prices (not before ${until}).`,
      notBefore: until,
      ...(door === 'mcp' && { untrusted: undefined }),
    });
    on.clock.advance(seconds(30));
    expect(await on.call('claim_next', { agent: 'bob' })).toMatchObject({ claimed: true, node: { id: 'prices' } });
  },
);

verifies.each(transports)(
  ['back-off:given'],
  'a release gives the time itself, with any outcome, and a claim by name ends it',
  async (door) => {
    await using on = await work(door);
    for (const outcome of ['returned', 'failed', undefined]) {
      await on.call('claim_node', at('prices'));
      const notBefore = '2026-01-02T10:00:00+01:00';
      await on.call('release_node', { ...at('prices'), ...(outcome && { outcome }), notBefore });
      expect((await on.node('prices')).notBefore).toBe('2026-01-02T09:00:00.000Z');
    }
    await on.call('claim_node', at('prices'));
    await on.call('release_node', at('prices'));
    expect((await on.node('prices')).notBefore).toBeNull();
    const wrong = await on.call('release_node', { ...at('prices'), notBefore: 'tomorrow' });
    expect(wrong).toMatchObject({ code: 'invalid_request' });
  },
);

verifies.each(transports)(
  ['result:inputs', 'result:bounded', 'report:progress'],
  'what a holder found is handed to those who claim what depends on it',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', at('lexer'));
    await on.call('report_node', { ...at('lexer'), note: 'half of it', progress: 0.5 });
    expect((await on.node('lexer')).claim).toMatchObject({ progress: 0.5, note: 'half of it' });
    await on.call('report_node', at('lexer'));
    expect((await on.node('lexer')).claim.progress).toBe(0.5);
    const large = await on.call('release_node', { ...at('lexer'), result: 'x'.repeat(16 * 1024) });
    expect(large).toMatchObject({ code: 'invalid_request' });
    const result = { tokens: ['plus', 'minus'], pages: 3 };
    await on.call('release_node', { ...at('lexer'), outcome: 'submitted', note: 'all there', result });
    await on.call('sign_off_node', { plan: 'shop', node: 'lexer', by: 'eve' });
    const claimed = await on.call('claim_node', at('parser', 'bob'));
    expect(claimed.inputs).toEqual([{ ref: 'shop/lexer', result, note: 'all there' }]);
    await on.call('release_node', at('parser', 'bob'));
    expect((await on.call('claim_node', at('prices', 'bob'))).inputs).toEqual([]);
    await on.call('sign_off_node', { plan: 'shop', node: 'lexer', by: 'eve', revoke: true });
    await on.call('claim_node', at('lexer'));
    const long = 'x'.repeat(15_000);
    await on.call('release_node', { ...at('lexer'), result: long });
    const again = await on.call('claim_node', at('parser', 'bob'));
    expect(again.inputs[0].result).toEqual(door === 'mcp' ? { truncated: true, bytes: 15_002 } : long);
  },
);

verifies('attempts:reset', 'only who may author resets attempts', async () => {
  await using service = await startClosed();
  const [ada, eve] = [await service.named('ada', ['work']), await service.named('eve', ['author'])];
  await eve.call('POST', '/api/plans', document);
  const denied = await ada.call('POST', '/api/plans/shop/nodes/lexer/reset', {});
  expect([denied.status, denied.body.code]).toEqual([403, 'scope_required']);
  expect((await eve.call('POST', '/api/plans/shop/nodes/lexer/reset', {})).status).toBe(200);
});
