import { randomUUID } from 'node:crypto';
import { pageAddress } from '../page-address.ts';
import { type DemoSession, demoRepository } from './agent-sessions.ts';
import type { Stage } from './stage.ts';

export type Examples = { plans: Readonly<Record<string, string>>; sdkRun: string; shopRun: string; model: object };
export type Cast = Record<'ada' | 'bob' | 'eve' | 'noor' | 'otto' | 'uma', DemoSession>;
export type Scene = ReturnType<typeof createScene>;

/** State shared by the beats of the story. `stage` returns the current stage. */
export function createScene(stage: () => Stage, examples: Examples) {
  let cast: Cast;
  const at = (ref: string) => {
    const [plan = '', node = ''] = ref.split('/');
    return { plan, node };
  };
  const call: Stage['client']['call'] = (...given) => stage().client.call(...given);
  const acting = (ref: string, agent: keyof Cast) => ({ ...at(ref), agent, session: cast[agent].sessionId });
  return {
    stage,
    examples,
    call,
    runs: { sdk: randomUUID(), fix: randomUUID(), shop: randomUUID() },
    enter: (more: Partial<Cast>) => {
      cast = { ...cast, ...more };
    },
    actor: (name: keyof Cast) => cast[name],
    claim: (ref: string, agent: keyof Cast, leaseMinutes = 30) =>
      call('claim_node', { ...acting(ref, agent), leaseMinutes }),
    report: (ref: string, agent: keyof Cast, note: string, leaseMinutes = 30) =>
      call('report_node', { ...acting(ref, agent), note, leaseMinutes }),
    release: (ref: string, agent: keyof Cast) => call('release_node', acting(ref, agent)),
    handIn: (ref: string, agent: keyof Cast, note: string) =>
      call('release_node', { ...acting(ref, agent), outcome: 'submitted', note }),
    signOff: (ref: string, by: string, note: string) => call('sign_off_node', { ...at(ref), by, note }),
    node: (ref: string) => pageAddress.node(at(ref).plan, at(ref).node),
    folder: (name: string) => demoRepository(stage().home, name),
  };
}
