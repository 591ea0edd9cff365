import { expect } from 'vitest';
import { connect } from '../../packages/service/src/client/index.ts';
import { range } from '../hub/announcing.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const ids = range(1, 12).map((n) => `n${n}`);

verifies(
  ['worker:hands-in', 'submit:each-node-once'],
  'two workers of one name and three REST threads do each of twelve nodes once, though its proof comes late',
  async () => {
    await using service = await start();
    const nodes = ids.map((id) => ({ id, binding: { kind: 'suite' } }));
    await service.call('POST', '/api/plans', { plan: 'shop', nodes });
    const done: string[] = [];
    const thread = async (name: string) => {
      for (;;) {
        const { body } = await service.call('POST', '/api/plans/ready/claim', { agent: name });
        if (!body.claimed) return;
        done.push(body.node.id);
        const outcome = { agent: name, fence: body.fence, outcome: 'submitted' };
        await service.call('POST', `/api/plans/shop/nodes/${body.node.id}/release`, outcome);
      }
    };
    using one = connect({ url: service.url });
    using two = connect({ url: service.url });
    const workers = [one, two].map((box) =>
      box.work({ agent: 'fleet', signals: false }, (claim) => void done.push(claim.node.id)),
    );
    await Promise.all(['a', 'b', 'c'].map(thread));
    await expect.poll(() => done.length).toBe(12);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(done.toSorted()).toEqual(ids.toSorted());
    const { counts } = (await service.call('GET', '/api/plans/shop/status')).body;
    expect(counts).toMatchObject({ submitted: 12, ready: 0 });
  },
);
