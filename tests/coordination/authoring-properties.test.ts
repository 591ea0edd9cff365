import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkState } from '../../packages/service/src/coordination/work/work-state.ts';
import { isDocument } from '../../packages/service/src/kernel/document.ts';
import type { RecordedEvent } from '../../packages/service/src/kernel/event-log.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { nodeKey } from '../../packages/service/src/kernel/streams.ts';
import { type InMemoryWork, openInMemoryWork } from './in-memory-work.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const slugs = ['p', 'q'];
const id = fc.constantFrom(...ids);
const plan = fc.constantFrom(...slugs);
const ref = fc.oneof(
  id,
  fc.tuple(plan, id).map((parts) => parts.join('/')),
);
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }),
  fc.constantFrom('yes', '0x1f', '- a', ' x ', '#', 'a: b', 'null', '1e3', '|\n x\n'),
);
const binding = fc.constantFrom(
  { kind: 'issue', issue: 'acme/shop#12' },
  { kind: 'suite' },
  { kind: 'suite', suite: 'unit', branch: 'main' },
  { kind: 'package', registry: 'npm', name: '@acme/sdk', version: '^2.0.0' },
  { kind: 'signOff', who: 'eve' },
  { kind: 'commit' },
);
const members = fc.record(
  {
    title: text,
    description: text,
    repository: fc.constantFrom('acme/shop', 'acme/sdk'),
    labels: fc.array(text, { maxLength: 2 }),
    estimateMinutes: fc.integer({ min: 1, max: 500 }),
    dependsOn: fc.array(ref, { maxLength: 3 }),
    binding,
  },
  { requiredKeys: [] },
);
const nodes = fc
  .uniqueArray(id, { maxLength: 5 })
  .chain((names) => fc.tuple(...names.map((name) => members.map((node) => ({ id: name, ...node })))));
const document = fc.record({ title: text, description: text, nodes }, { requiredKeys: [] });

const act = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('add_dependency'), fc.record({ plan, node: id, dependsOn: ref })) },
  fc.tuple(
    fc.constant('import_plan'),
    fc.record({ plan, document, mode: fc.constantFrom('full', 'seed'), force: fc.boolean() }),
  ),
  fc.tuple(
    fc.constant('add_node'),
    fc.tuple(plan, id, members).map(([to, name, node]) => ({ plan: to, id: name, ...node })),
  ),
  fc.tuple(
    fc.constant('update_node'),
    fc.tuple(plan, id, members).map(([to, name, node]) => ({ plan: to, node: name, ...node })),
  ),
  fc.tuple(fc.constant('remove_dependency'), fc.record({ plan, node: id, dependsOn: ref })),
  fc.tuple(fc.constant('remove_node'), fc.record({ plan, node: id, force: fc.boolean() })),
  fc.tuple(fc.constant('bind_node'), fc.record({ plan, node: id, binding: fc.option(binding) })),
  fc.tuple(fc.constant('claim_node'), fc.record({ plan, node: id, agent: fc.constantFrom('ada', 'bob') })),
  fc.tuple(fc.constant('report_node'), fc.record({ plan, node: id, agent: fc.constantFrom('ada', 'bob'), note: text })),
  fc.tuple(fc.constant('release_node'), fc.record({ plan, node: id, agent: fc.constantFrom('ada', 'bob') })),
  fc.tuple(fc.constant('sign_off_node'), fc.record({ plan, node: id, by: fc.constant('eve') })),
  fc.tuple(fc.constant('archive_plan'), fc.record({ plan })),
);
const acts = fc.array(act, { minLength: 1, maxLength: 25 }) as fc.Arbitrary<[string, object][]>;

/** Two plans of free nodes, so that most attempts are valid. */
async function furnished(): Promise<InMemoryWork> {
  const stage = await openInMemoryWork();
  const free = { nodes: ids.map((name) => ({ id: name })) };
  for (const slug of slugs) await stage.call('import_plan', { plan: slug, document: free });
  return stage;
}

/** Runs any attempts, of which some are accepted, and then the check. */
const afterAnything = (ask: (stage: InMemoryWork, slug: string) => Promise<void>, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(acts, async (tried) => {
      const stage = await furnished();
      for (const [name, input] of tried) await stage.call(name, input);
      for (const slug of slugs) if (stage.ctx.plans.find(slug)) await ask(stage, slug);
    }),
    { numRuns },
  );

test('no accepted edge makes a cycle', async () => {
  await afterAnything(async ({ ctx }) => {
    const { graph } = ctx.plans;
    const left = new Map(graph.keys.map((_, vertex) => [vertex, graph.dependsOn[vertex]?.length ?? 0]));
    const free = [...left].filter(([, waiting]) => waiting === 0).map(([vertex]) => vertex);
    for (const vertex of free) {
      for (const dependent of graph.dependents[vertex] ?? []) {
        const waiting = (left.get(dependent) ?? 0) - 1;
        left.set(dependent, waiting);
        if (waiting === 0) free.push(dependent);
      }
    }
    expect(free).toHaveLength(graph.size);
  }, 300);
});

test('importing an export changes nothing', async () => {
  await afterAnything(async ({ call }, slug) => {
    const exported = await call('plan_document', { plan: slug });
    if (!isDocument(exported)) throw new Error('no document');
    const { version, archived } = await call('get_plan', { plan: slug });
    const report = await call('import_plan', { plan: slug, document: exported.body });
    expect(report).toMatchObject({ created: false, added: [], changed: [], removed: [], kept: [] });
    expect(report).toMatchObject({ dependenciesAdded: [], dependenciesRemoved: [] });
    // Restoring is the only effect of importing an archived plan.
    expect(report.version).toBe(archived ? version + 1 : version);
  }, 120);
});

test('a seed never removes a node, an edge or a member', async () => {
  await fc.assert(
    fc.asyncProperty(acts, plan, document, async (tried, slug, seed) => {
      const { call, ctx } = await furnished();
      for (const [name, input] of tried) await call(name, input);
      const before = await call('get_plan', { plan: slug });
      if (isRefusal(before) || before.archived) return;
      const report = await call('import_plan', { plan: slug, document: seed, mode: 'seed' });
      const after = ctx.plans.find(slug);
      const named = new Set((seed.nodes ?? []).map((node) => node.id));
      for (const node of before.nodes) {
        const kept = after?.nodes.get(node.id);
        expect(kept?.dependsOn).toEqual(expect.arrayContaining(node.dependsOn));
        if (!named.has(node.id)) expect(kept).toEqual(node);
        if (node.binding) expect(kept?.binding).not.toBeNull();
      }
      if (isRefusal(report)) return;
      expect(report.removed).toEqual([]);
      expect(report.kept).toEqual(
        before.nodes.map((node: { id: string }) => node.id).filter((one: string) => !named.has(one)),
      );
    }),
    { numRuns: 300 },
  );
});

test('folding the history gives the state that is served', async () => {
  await afterAnything(async (stage, slug) => {
    const story = await stage.call('plan_history', { plan: slug });
    const workState = new WorkState();
    for (const { type, data, by, at, provenance, sequence, version } of story) {
      const strand = /^(node_claimed|claim_)/.test(type)
        ? 'claim'
        : /^(evidence_|node_signed)/.test(type)
          ? 'evidence'
          : 'plan';
      const stream = strand === 'plan' ? `plan:${slug}` : `${strand}:${slug}/${data.id}`;
      workState.apply({
        sequence,
        stream,
        version,
        topic: `plan:${slug}`,
        id: '',
        at,
        by,
        provenance,
        type,
        data,
      } as RecordedEvent);
    }
    const folded = await openInMemoryWork();
    const { links } = stage.ctx;
    const ctx = { ...folded.ctx, workState, plans: workState.plans, links };
    // A history is numbered from 1 for each plan, the log over all plans.
    expect(workState.plans.find(slug)).toEqual({ ...stage.ctx.plans.find(slug), changedSequence: expect.any(Number) });
    for (const { id: node } of workState.plans.find(slug)?.nodes.values() ?? []) {
      const key = nodeKey(slug, node);
      expect(ctx.workState.claims.of(key)).toEqual(stage.ctx.workState.claims.of(key));
      expect(ctx.workState.evidence.of(key)).toEqual(stage.ctx.workState.evidence.of(key));
    }
  }, 300);
});

test('a log replayed from its first event gives the same answers', async () => {
  await afterAnything(async ({ call, log, clock }, slug) => {
    const again = await openInMemoryWork({ log, clock });
    for (const name of ['get_plan', 'plan_status']) {
      expect(await again.call(name, { plan: slug })).toEqual(await call(name, { plan: slug }));
    }
  }, 100);
});
