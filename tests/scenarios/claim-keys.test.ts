import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { createSettableClock } from '../../packages/service/src/store/settable-clock.ts';
import { type Started, start } from '../start.ts';
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
    expect([taken.status, taken.body.fence > claimed.body.fence]).toEqual([200, true]);
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

verifies(
  ['idempotency:same-key-same-answer', 'idempotency:across-restart'],
  'a call that was written while its answer was lost is answered as it stands now, and not written again',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    const clock = createSettableClock();
    const first = await start({ home, clock });
    const at = '/api/plans/shop/nodes/lexer';
    const calls: [method: string, path: string, body?: object][] = [
      ['POST', '/api/plans', plan],
      ['POST', '/api/plans/shop/nodes', { id: 'totals' }],
      ['PUT', at, { title: 'Lex' }],
      ['POST', `${at}/depends-on`, { dependsOn: 'totals' }],
      ['POST', `${at}/bind`, { kind: 'signOff' }],
      ['POST', `${at}/claim`, { agent: 'ada' }],
      ['POST', `${at}/report`, { agent: 'ada', note: 'half way' }],
      ['POST', `${at}/sign-off?by=eve`, {}],
    ];
    const statuses = async (on: Started) => {
      const told: number[] = [];
      for (const [index, [method, path, body]] of calls.entries())
        told.push((await on.call(method, path, body, key(`k${index}`))).status);
      return told;
    };
    const before = await statuses(first);
    const history = (await first.call('GET', '/api/plans/shop/history')).body;
    await first.stop();
    const database = new DatabaseSync(join(first.dataPath, 'signalbox.sqlite'));
    database.exec('UPDATE remembered SET answer = NULL');
    database.close();

    await using second = await start({ home, clock });
    expect(await statuses(second)).toEqual(before);
    expect((await second.call('GET', '/api/plans/shop/history')).body).toEqual(history);
    await second.stop();
    await rm(home, { recursive: true, force: true });
  },
);
