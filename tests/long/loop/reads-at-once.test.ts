import { expect, test } from 'vitest';
import { connect } from '../../../packages/service/src/client/index.ts';
import { caller } from '../../start.ts';
import { expectNeverStill, startWatched } from './never-still.ts';

test('forty reads of a large plan at once are answered one after the other, with others in between', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const call = caller(service.url);
  const nodes = Array.from({ length: 1_000 }, (_, at) => ({ id: `n${at}`, title: `The node with number ${at}` }));
  expect((await call('PUT', '/api/plans/large', { nodes })).status).toBe(201);
  const box = connect({ url: service.url });
  // The second time all connections are open, so that the requests arrive in one turn.
  for (const _ of ['first', 'second']) {
    const status = Array.from({ length: 40 }, () => call('GET', '/api/plans/large/status'));
    const plan = Array.from({ length: 40 }, () => call('GET', '/api/plans/large'));
    const onSocket = Array.from({ length: 40 }, () => box.call('plan_status', { plan: 'large' }));
    for (const { body } of await Promise.all([...status, ...plan])) expect(body.nodes).toHaveLength(1_000);
    for (const answer of await Promise.all(onSocket)) expect(answer.nodes).toHaveLength(1_000);
  }
  box.close();
  await expectNeverStill(service);
});
