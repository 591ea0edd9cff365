import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSettableClock } from '../../packages/service/src/store/settable-clock.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const plan = { plan: 'shop', nodes: [{ id: 'lexer' }, { id: 'parser' }] };
const claim = '/api/plans/shop/nodes/lexer/claim';
const key = (name: string) => ({ 'idempotency-key': name });

verifies(
  [
    'idempotency:same-key-same-answer',
    'idempotency:across-restart',
    'idempotency:other-fingerprint-409',
    'idempotency:claim-replayed-while-it-stands',
    'idempotency:claim-runs-anew-after-its-end',
    'idempotency:conflicts-not-remembered',
  ],
  'a keyed claim is answered again while it stands, across a restart too, and runs anew once it is over',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    const clock = createSettableClock();
    const first = await start({ home, clock });
    await first.call('POST', '/api/plans', plan);
    const claimed = await first.call('POST', claim, { agent: 'ada' }, key('k1'));
    const lost = await first.call('POST', claim, { agent: 'bob' }, key('k2'));
    expect([claimed.status, lost.status]).toEqual([200, 409]);
    await first.stop();

    await using second = await start({ home, clock });
    const again = await second.call('POST', claim, { agent: 'ada' }, key('k1'));
    expect(again.body).toEqual(claimed.body);
    const other = await second.call('POST', claim, { agent: 'eve' }, key('k1'));
    expect(other.body).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    const story = (await second.call('GET', '/api/plans/shop/history?only=claims')).body;
    expect(story).toHaveLength(1);

    await second.call('POST', '/api/plans/shop/nodes/lexer/release', { agent: 'ada' });
    const taken = await second.call('POST', claim, { agent: 'bob' }, key('k2'));
    expect([taken.status, taken.body.fence]).toEqual([200, 2]);
    const over = await second.call('POST', claim, { agent: 'ada' }, key('k1'));
    expect([over.status, over.body.heldBy]).toEqual([409, 'bob']);
    await rm(home, { recursive: true, force: true });
  },
);

verifies(
  'idempotency:second-call-waits',
  'a second call while the first is under way waits for it, and one claim is made',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', plan);
    const path = '/api/plans/ready/claim';
    const ask = () => service.call('POST', path, { agent: 'ada', unbound: true }, key('k'));
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await service.call('GET', '/api/plans/shop/history?only=claims')).body).toHaveLength(1);
  },
);
