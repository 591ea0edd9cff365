import { expect, test } from 'vitest';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { rounds } from '../rounds.ts';

const many = rounds(5_000, 100_000);

test('a chain as deep as a plan can be is taken, ordered and counted, and closing it is refused', async () => {
  const { call, refusal } = await openInMemoryWork();
  const nodes = Array.from({ length: many }, (_, n) => ({ id: `n${n}`, ...(n > 0 && { dependsOn: [`n${n - 1}`] }) }));
  await call('import_plan', { plan: 'deep', document: { nodes } });
  const [first] = await call('next_ready_nodes', {});
  expect(first.id).toBe('n0');
  expect(await refusal('add_dependency', { plan: 'deep', node: 'n0', dependsOn: `n${many - 1}` })).toBe('cycle');
  expect((await call('plan_status', { plan: 'deep' })).nodes).toHaveLength(many);
}, 1_200_000);

test('a diamond with 2 to the 30 paths counts its nodes, and answers at once', async () => {
  const { call } = await openInMemoryWork();
  const nodes = Array.from({ length: 30 }, (_, level) => {
    const before = level === 0 ? [] : [`a${level - 1}`, `b${level - 1}`];
    return ['a', 'b'].map((side) => ({ id: `${side}${level}`, dependsOn: before }));
  }).flat();
  await call('create_plan', { document: { plan: 'diamond', nodes } });
  const ready = await call('next_ready_nodes', {});
  expect(ready.map(({ id }: { id: string }) => id).sort()).toEqual(['a0', 'b0']);
  expect(ready[0].leverage ?? ready[0].unblocks).toBe(58);
});

test('a node cannot wait for itself, for a circle of two, for one through another plan, or for what comes to close a circle', async () => {
  const { call, refusal } = await openInMemoryWork();
  await call('create_plan', { document: { plan: 'p', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } });
  await call('create_plan', { document: { plan: 'q', nodes: [{ id: 'c', dependsOn: ['p/b'] }] } });
  expect(await refusal('add_dependency', { plan: 'p', node: 'a', dependsOn: 'a' })).toBe('self_dependency');
  expect(await refusal('add_dependency', { plan: 'p', node: 'a', dependsOn: 'b' })).toBe('cycle');
  expect(await refusal('add_dependency', { plan: 'p', node: 'a', dependsOn: 'q/c' })).toBe('cycle');
  // A dependency may name a node that does not exist yet; that node must not close a cycle when it is added.
  expect(await refusal('add_dependency', { plan: 'p', node: 'a', dependsOn: 'later/x' })).toBeUndefined();
  expect(await call('next_ready_nodes', {})).toEqual([]);
  const closing = { plan: 'later', nodes: [{ id: 'x', dependsOn: ['q/c'] }] };
  expect(await refusal('create_plan', { document: closing })).toBe('cycle');
});
