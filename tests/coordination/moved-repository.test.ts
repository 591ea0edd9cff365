import { expect, test } from 'vitest';
import { observeEvidence } from '../../packages/service/src/coordination/evidence/decide.ts';
import { openInMemoryWork } from './in-memory-work.ts';

const suite = { kind: 'suite', suite: 'unit' } as const;
const tagged = { ...suite, tag: 'gate' } as const;
const document = {
  plan: 'p',
  repository: 'acme/shop',
  nodes: [
    { id: 'own', repository: 'acme/shop', binding: suite },
    { id: 'plans', binding: suite },
    { id: 'tagged', binding: tagged },
  ],
};

async function proven() {
  const work = await openInMemoryWork();
  await work.call('create_plan', { document });
  for (const { id, binding } of document.nodes) {
    const seen = { state: 'passed', detail: 'unit passed', runId: 'r1' } as const;
    const event = observeEvidence({ ref: { plan: 'p', node: id }, binding, evidence: undefined }, binding, seen);
    if (!event) throw new Error('nothing was observed');
    const append = [{ stream: `evidence:p/${id}`, topic: 'plan:p', events: [{ ...event, by: 'observer:suite' }] }];
    await work.log.commit(() => ({ append, answer: () => null }));
  }
  const statuses = async () => {
    const { nodes } = await work.call('plan_status', { plan: 'p' });
    return nodes.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`);
  };
  return { ...work, statuses };
}

test('a node bound only by a suite is judged again when its repository changes', async () => {
  const { call, statuses } = await proven();
  expect(await statuses()).toEqual(['own done', 'plans done', 'tagged done']);
  await call('update_node', { plan: 'p', node: 'own', title: 'Another title' });
  expect(await statuses()).toEqual(['own done', 'plans done', 'tagged done']);
  await call('update_node', { plan: 'p', node: 'own', repository: 'acme/api' });
  expect(await statuses()).toEqual(['own ready', 'plans done', 'tagged done']);
});

test('the same holds for nodes that take the repository of their plan', async () => {
  const { call, statuses } = await proven();
  const report = await call('import_plan', { plan: 'p', document: { ...document, repository: 'acme/api' } });
  expect(report.unchanged).toEqual(['own', 'plans', 'tagged']);
  expect(await statuses()).toEqual(['own done', 'plans ready', 'tagged done']);
});
