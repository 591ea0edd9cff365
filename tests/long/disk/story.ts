import { smallRun } from '../../recorded-run.ts';
import type { Answer } from '../../start.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;
export type ServiceCalls = { call: Call; console: Call };

/** An answered fact, in a form that can be checked later. */
export type Fact = { what: 'plan' | 'claim' | 'run' | 'model' | 'ejected'; name: string; more?: string };

export type Step = { fact: Fact; ask: (place: ServiceCalls) => Promise<Answer>; fine: number };

const outcomes = ['CleanPass', 'Failed'];
const model = (source: string) => ({ name: 'Shop', chapters: [{ name: source, slices: [] }] });

/** What a small team does in a minute: authoring, claims, runs, a model, an eject. */
export const story: readonly Step[] = [0, 1, 2].flatMap((n): Step[] => [
  {
    fact: { what: 'plan', name: `p${n}` },
    ask: ({ call }) => call('POST', '/api/plans', { plan: `p${n}`, nodes: [{ id: 'a' }, { id: 'b' }] }),
    fine: 201,
  },
  {
    fact: { what: 'claim', name: `p${n}/nodes/a`, more: 'ada' },
    ask: ({ call }) => call('POST', `/api/plans/p${n}/nodes/a/claim`, { agent: 'ada' }),
    fine: 200,
  },
  {
    fact: { what: 'run', name: `r${n}`, more: 'Cart/0 Cart/1' },
    ask: ({ console }) => console('POST', '/api/ingest', { events: smallRun(`r${n}`, { outcomes }) }),
    fine: 202,
  },
  {
    fact: { what: 'run', name: 'shared', more: `Late/${n}` },
    ask: ({ console }) =>
      console('POST', '/api/ingest', {
        events: [{ type: 'scenario_finished', runId: 'shared', uid: `Late/${n}`, outcome: 'CleanPass', attempts: 1 }],
      }),
    fine: 202,
  },
  {
    fact: { what: 'model', name: `s${n}` },
    ask: ({ console }) => console('PUT', `/api/event-model/s${n}`, model(`s${n}`)),
    fine: 204,
  },
  ...(n === 1
    ? [
        {
          fact: { what: 'ejected' as const, name: 'r0' },
          ask: ({ console }: ServiceCalls) => console('DELETE', '/api/runs/r0'),
          fine: 204,
        },
      ]
    : []),
]);

/**
 * The facts that are wrong after a restart; the list should be empty. The last unanswered request may have been
 * executed or not: a run that was being ejected is either complete or gone.
 */
export async function lostOf(
  { call, console }: ServiceCalls,
  facts: readonly Fact[],
  unanswered?: Fact,
): Promise<string[]> {
  const ejected = new Set(facts.filter(({ what }) => what === 'ejected').map(({ name }) => name));
  const wrong: string[] = [];
  for (const fact of facts) {
    const said = JSON.stringify(fact);
    if (fact.what === 'plan' && (await call('GET', `/api/plans/${fact.name}`)).status !== 200) wrong.push(said);
    if (fact.what === 'claim') {
      const [plan] = fact.name.split('/');
      const { body } = await call('GET', `/api/plans/${plan}/status`);
      if (body.nodes?.[0]?.claimedBy !== fact.more) wrong.push(said);
    }
    if (fact.what === 'run' && !ejected.has(fact.name)) {
      const { status, body } = await console('GET', `/api/runs/${fact.name}`);
      if (status === 404 && unanswered?.what === 'ejected' && unanswered.name === fact.name) continue;
      const uids = new Set((body.scenarios ?? []).map(({ uid }: { uid: string }) => uid));
      if (!fact.more?.split(' ').every((uid) => uids.has(uid))) wrong.push(said);
    }
    if (fact.what === 'ejected' && (await console('GET', `/api/runs/${fact.name}`)).status !== 404) wrong.push(said);
    if (fact.what === 'model') {
      const { text } = await console('GET', '/api/event-model');
      if (!text.includes(fact.name)) wrong.push(said);
    }
  }
  return wrong;
}
