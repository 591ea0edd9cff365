import { expect, test } from 'vitest';
import { connect } from '../../packages/service/src/client/index.ts';
import { start } from '../start.ts';
import { openGateway } from './gateway.ts';
import { longWaits } from './long-waits.ts';

test.each([502, 503, 504])('a call waits while a gateway answers %i for the service', async (status) => {
  await using service = await start();
  await using gateway = await openGateway(service.url);
  gateway.status = status;
  using box = connect({ url: gateway.url, socket: false });
  const plans = box.call('list_plans', {});
  await expect.poll(() => gateway.refused).toBeGreaterThan(0);
  gateway.status = 0;
  expect(await plans).toEqual([]);
});

test('a worker goes on after a gateway answered for the service for longer than a call waits', async () => {
  await using service = await start();
  await using gateway = await openGateway(service.url);
  const waits = longWaits();
  using box = connect({ url: gateway.url, socket: false, retryMs: 0, later: waits.later });
  const taken: string[] = [];
  gateway.status = 502;
  const worker = box.work({ agent: 'ada', signals: false }, ({ node }) => taken.push(node.ref));
  const ended = worker.done.catch((fault: unknown) => fault);
  await Promise.race([ended, expect.poll(() => waits.waits()).toContain(5_000)]);
  gateway.status = 0;
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] });
  waits.pass(5_000);
  await expect.poll(() => taken).toEqual(['shop/a']);
  await worker.stop();
  expect(await ended).toBeUndefined();
});
