import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoSteps } from '../../packages/service/src/browser/demo.ts';
import { checkPlanText } from '../../packages/service/src/coordination/plans/plan-text.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { openInMemoryWork } from './in-memory-work.ts';

const folder = join(import.meta.dirname, '../../examples/plans');
const slugs = ['platform-sdk', 'checkout-2', 'ledger-migration'];
const documents = Object.fromEntries(slugs.map((slug) => [slug, readFileSync(join(folder, `${slug}.yaml`), 'utf8')]));

test('the example plans are without fault', () => {
  for (const slug of slugs) expect(checkPlanText(documents[slug] ?? '')).toEqual([]);
});

test('the demo shows done, claimed, submitted and waiting work in three plans', async () => {
  const { call } = await openInMemoryWork();
  for (const { title, play } of demoSteps(documents)) {
    const answer = await play(call);
    expect(isRefusal(answer) ? `${title}: ${answer.detail}` : 'fine').toBe('fine');
  }
  const plans = await call('list_plans', {});
  const counts = Object.fromEntries(plans.map((plan: { slug: string; counts: object }) => [plan.slug, plan.counts]));
  expect(counts).toMatchObject({
    'platform-sdk': { done: 1, claimed: 1, ready: 2 },
    'checkout-2': { done: 1, claimed: 1 },
    'ledger-migration': { claimed: 1, blocked: 5 },
  });
  const ready = await call('next_ready_nodes', { unclaimed: true });
  expect(ready[0].lastClaim).toMatchObject({ agent: 'eve', how: 'released', note: expect.stringContaining('JPY') });
  const missing = plans.flatMap(({ slug }: { slug: string }) => slug);
  for (const plan of missing) {
    const { nodes } = await call('plan_status', { plan });
    for (const node of nodes) for (const on of node.dependsOn) expect(on.missing).toBe(false);
  }
});
