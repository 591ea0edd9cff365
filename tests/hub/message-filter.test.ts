import { expect, test } from 'vitest';
import { runSample } from '../samples.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { announce } from './announcing.ts';
import { rawEvents, viaSignalr, viaSocket } from './clients.ts';

/** One message of each type, for two plans and two runs. */
function everything(service: Started): void {
  for (const plan of ['Checkout', 'billing']) {
    announce(service, { type: 'plan_changed', data: { slug: plan, version: 2, nodes: ['a'] } });
    announce(service, { type: 'claim_changed', data: { plan, node: 'a', claim: null } });
  }
  for (const runId of ['r1', 'r2']) {
    announce(service, { type: 'run_changed', data: { run: runSample({ runId }) } });
    announce(service, { type: 'run_events', data: { runId, events: [{ type: 'log' }] } });
  }
  announce(service, { type: 'run_ejected', data: { runIds: ['r0', 'r2'] } });
  announce(service, { type: 'agents_changed', data: { sessions: ['checkout', 'r1'], trees: [] } });
  announce(service, { type: 'repository_changed', data: { owner: 'billing', name: 'r1' } });
  announce(service, { type: 'event_model_changed', data: { name: 'checkout' } });
  announce(service, { type: 'run_events', data: { runId: 'last', events: [] } });
  announce(service, { type: 'plan_changed', data: { slug: 'last', version: 1, nodes: [] } });
}

const cases = {
  '?types=run_changed,run_ejected,plan_changed': [
    'plan_changed Checkout',
    'plan_changed billing',
    'run_changed r1',
    'run_changed r2',
    'run_ejected undefined',
    'plan_changed last',
  ],
  '?plan=checkout&plan=LAST': ['plan_changed Checkout', 'claim_changed Checkout/a', 'plan_changed last'],
  '?runId=R2,last': ['run_changed r2', 'run_events r2', 'run_ejected undefined', 'run_events last'],
  '?types=plan_changed,run_events&plan=billing&runId=r1,last': [
    'plan_changed billing',
    'run_events r1',
    'run_events last',
  ],
};

for (const [query, expected] of Object.entries(cases)) {
  verifies(
    ['hub:narrow-by-types', 'hub:narrow-by-plan', 'hub:narrow-by-run'],
    `a subscription with ${query} gets nothing that is not about what it named`,
    async () => {
      await using service = await start();
      await using socket = await viaSocket(service, query);
      await using stream = await rawEvents(service, query);
      await using signalr = await viaSignalr(service, { query });
      await signalr.until(1);
      everything(service);
      for (const client of [socket, stream, signalr]) {
        await client.untilOne(({ subject, type }) => `${type} ${subject}` === expected.at(-1));
        const heard = client.heard.filter(({ type }) => type !== 'reset');
        expect(heard.map(({ type, subject }) => `${type} ${subject}`)).toEqual(expected);
      }
    },
  );
}

verifies(
  'hub:narrow-by-plan',
  'a narrowed subscription resumes narrowed, and hears of a gap all the same',
  async () => {
    await using service = await start();
    await using all = await viaSocket(service);
    everything(service);
    const [first] = await all.until(1);
    await using resumed = await viaSocket(service, `?plan=last&after=${first?.id}`);
    expect(await resumed.until(1)).toMatchObject([{ type: 'plan_changed', subject: 'last' }]);
    await using lost = await viaSocket(service, '?plan=last&types=plan_changed&after=1');
    expect(await lost.until(1)).toMatchObject([{ type: 'reset' }]);
  },
);

test('a type that does not exist is a fault that names the likely one; an empty name is a fault too', async () => {
  await using service = await start();
  const ask = (query: string) =>
    service.call('GET', `/api/messages${query}`, undefined, { accept: 'text/event-stream' });
  expect((await ask('?types=plan_chnaged')).body.errors).toEqual([
    { path: 'types', message: 'unknown type plan_chnaged; did you mean plan_changed?' },
  ]);
  expect(await ask('?plan=')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  await expect(viaSocket(service, '?types=nothing')).rejects.toThrow('400');
});
