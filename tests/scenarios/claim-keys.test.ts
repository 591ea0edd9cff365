import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
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

verifies(
  ['idempotency:same-key-same-answer', 'idempotency:across-restart'],
  'the repository tools give their answer again where it was lost, and write nothing twice',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    const clock = createSettableClock();
    const shop = { owner: 'acme', name: 'shop' };
    const calls: [tool: string, input: object][] = [
      ['register_repository', { ...shop, description: 'The shop' }],
      ['declare_repository', { ...shop, suites: [{ suite: 'unit' }] }],
      ['note_repository', { ...shop, text: 'Run the generator first', by: 'ada' }],
    ];
    const answers = async (on: Started) => {
      const client = await newMcpClient(on.url);
      const told: unknown[] = [];
      for (const [index, [name, input]] of calls.entries()) {
        const call = { name, arguments: { ...input, requestId: `k${index}` } };
        told.push((await client.callTool(call)).structuredContent);
      }
      await client.close();
      return told;
    };
    const first = await start({ home, clock });
    const before = await answers(first);
    const known = (await first.call('GET', '/api/repositories/acme/shop')).body;
    await first.stop();
    const database = new DatabaseSync(join(first.dataPath, 'signalbox.sqlite'));
    database.exec('UPDATE remembered SET answer = NULL');
    database.close();

    await using second = await start({ home, clock });
    const after = await answers(second);
    const now = { ...shop, description: 'The shop', suites: [{ suite: 'unit' }], noteCount: 1 };
    expect(after).toMatchObject([now, now, before.at(-1)]);
    expect((await second.call('GET', '/api/repositories/acme/shop')).body).toEqual(known);
    await second.stop();
    await rm(home, { recursive: true, force: true });
  },
);
