import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { viaSocket } from './clients.ts';

/** A clock whose periodic work runs whenever the test moves it. */
function movedClock() {
  const works = new Set<() => void | Promise<void>>();
  const clock = createSettableClock();
  return {
    ...clock,
    every(_: number, work: () => void | Promise<void>) {
      works.add(work);
      return () => works.delete(work);
    },
    async move(ms: number) {
      clock.advance(ms);
      for (const work of works) await work();
    },
  };
}

const at = '2026-01-01T09:00:00.000Z';
const started = (runId: string) => ({ type: 'run_started', runId, at, suite: 'unit', mine: { kept: [1, 2] } });
const finished = (runId: string) => ({ type: 'run_finished', runId, at, exitCode: 0, passed: 0, failed: 0 });

verifies(
  ['hub:run-events', 'hub:run-changed', 'hub:run-ejected'],
  'a run is told as it was sent, with its summary, and when it is ejected',
  async () => {
    await using service = await start({ clock: systemClock });
    await using socket = await viaSocket(service, '?runId=r1');
    await service.console('POST', '/api/ingest', { events: [started('r1'), started('r2'), finished('r1')] });
    const changed = await socket.untilOne(({ data }) => data.run?.state === 'finished');
    expect(changed).toMatchObject({ type: 'run_changed', subject: 'r1', data: { run: { runId: 'r1', exitCode: 0 } } });
    await socket.untilOne(({ type, data }) => type === 'run_events' && data.events.at(-1).type === 'run_finished');
    const sent = socket.heard.filter(({ type }) => type === 'run_events');
    expect(sent.every(({ subject, data }) => subject === 'r1' && data.runId === 'r1')).toBe(true);
    expect(sent.flatMap(({ data }) => data.events)).toEqual([started('r1'), finished('r1')]);

    expect((await service.console('DELETE', '/api/runs/r1')).status).toBe(204);
    const ejected = await socket.untilOne(({ type }) => type === 'run_ejected');
    expect(ejected).toMatchObject({ data: { runIds: ['r1'] } });
  },
);

verifies('hub:run-events-batched', 'the events of many batches go out together, at most every 100 ms', async () => {
  const clock = movedClock();
  await using service = await start({ clock });
  await using socket = await viaSocket(service, '?types=run_events');
  const beat = (n: number) => ({ type: 'run_heartbeat', runId: 'r1', at, n });
  for (let n = 1; n <= 40; n += 1) await service.console('POST', '/api/ingest', { events: [beat(n)] });
  expect(socket.heard).toEqual([]);
  await clock.move(100);
  const [message] = await socket.until(1);
  expect(message?.data.events).toEqual(Array.from({ length: 40 }, (_, index) => beat(index + 1)));
});

verifies('hub:event-model-changed', 'a push of an event model names the model', async () => {
  await using service = await start();
  await using socket = await viaSocket(service);
  const model = { name: 'Wallets', slices: [], aggregates: [], hotspots: [] };
  expect((await service.console('PUT', '/api/event-model/host', model)).status).toBe(204);
  const told = await socket.untilOne(({ type }) => type === 'event_model_changed');
  expect(told).toMatchObject({ subject: 'Wallets', data: { name: 'Wallets' } });
});

verifies(
  'hub:claim-changed-at-lease-end',
  'the end of a lease is announced within two seconds, without a claim',
  async () => {
    const clock = movedClock();
    await using service = await start({ clock });
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'Shop', nodes: [{ id: 'a', title: 'A' }] });
    await service.call('POST', '/api/plans/shop/nodes/a/claim', { agent: 'ada', leaseMinutes: 1 });
    await using socket = await viaSocket(service, '?types=claim_changed');
    await clock.move(59_999);
    await clock.move(2_000);
    const [ended] = await socket.until(1);
    expect(ended).toMatchObject({ subject: 'shop/a', data: { plan: 'shop', node: 'a', claim: null } });
  },
);
