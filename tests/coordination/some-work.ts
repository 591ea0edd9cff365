import type { EventLog } from '../../packages/service/src/kernel/event-log.ts';
import { randomOf } from '../random.ts';
import { openInMemoryWork } from './in-memory-work.ts';

/** This many calls of all kinds on that log; the same for the same seed. */
export async function someWork(log: EventLog, seed: number, calls: number): Promise<void> {
  const random = randomOf(seed);
  const { call } = await openInMemoryWork({ log });
  const nodes = ['a', 'b', 'c', 'd', 'e', 'f'];
  const document = {
    plan: `plan-${seed}`,
    nodes: nodes.map((id, at) => ({
      id,
      binding: { kind: 'signOff' },
      dependsOn: nodes.slice(0, at).filter(() => random.chance(0.3)),
    })),
  };
  await call('create_plan', { document });
  for (let turn = 0; turn < calls; turn += 1) {
    const at = { plan: document.plan, node: random.pick(nodes) };
    const agent = random.pick(['ada', 'bob']);
    const [name, input] = random.pick<[string, object]>([
      ['claim_node', { ...at, agent }],
      ['report_node', { ...at, agent, note: `note ${turn}` }],
      ['release_node', { ...at, agent }],
      ['sign_off_node', { ...at, by: 'boss' }],
      ['remove_node', { ...at, force: true }],
      ['add_node', { plan: at.plan, id: at.node, dependsOn: random.chance(0.5) ? [] : ['zzz'] }],
    ]);
    await call(name, input);
    if (random.chance(0.1)) await noteRepository(log, `${seed}-${turn}`);
  }
}

async function noteRepository(log: EventLog, id: string): Promise<void> {
  const data = { owner: 'acme', name: 'shop', id, topic: 'build', text: `a note ${id}`, supersedes: null };
  const events = [{ type: 'note_added', data, by: 'ada' }];
  await log.commit(() => ({ append: [{ stream: 'repository:acme/shop', events }], answer: () => null }));
}
