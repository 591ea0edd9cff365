import { expect, test } from 'vitest';
import { CallFailed } from '../../packages/service/src/cli/client.ts';
import { watch as watchHere } from '../../packages/service/src/cli/watch-stream.ts';
import { openGateway } from '../client/gateway.ts';
import { openProxy } from '../client/proxy.ts';
import { claimSample, runSample } from '../samples.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';
import { announce, announceNumbered } from './announcing.ts';

/** Sends a message repeatedly until the watcher prints it, because it is unknown when the watcher connects. */
async function until(fits: () => boolean, say: () => void): Promise<void> {
  while (!fits()) {
    say();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('watch prints one readable line for each message, with nothing that could move the cursor', async () => {
  await using service = await start();
  await using watch = signalbox(['watch', '--url', service.url, '--types', 'claim_changed,run_changed,plan_changed']);
  await using ofPlan = signalbox(['watch', '--url', service.url, '--plan', 'shop']);
  const claim = claimSample({ expiresAt: '2026-01-01T09:30:00.000Z', note: '\u001b[2Jhalf' });
  await until(
    () => [watch, ofPlan].every(({ out }) => out().includes('claim_changed')),
    () => announce(service, { type: 'claim_changed', data: { plan: 'shop', node: 'a', claim } }),
  );
  announceNumbered(service, 1, 3);
  announce(service, { type: 'claim_changed', data: { plan: 'shop', node: 'a', claim: null } });
  announce(service, { type: 'plan_changed', data: { slug: 'shop', version: 3, nodes: ['a', 'b'] } });
  const run = runSample({ runId: 'r1', suite: 'unit', state: 'running', passed: 3, failed: 1, running: 2 });
  announce(service, { type: 'run_changed', data: { run } });
  await watch.says(/run_changed.*\n/);
  const lines = new Set(watch.out().trimEnd().split('\n'));
  expect([...lines]).toEqual([
    '09:00:00 UTC  claim_changed        shop/a  ada (held) until 09:30 UTC: ·[2Jhalf',
    '09:00:00 UTC  claim_changed        shop/a  free',
    '09:00:00 UTC  plan_changed         shop  version 3: a, b',
    '09:00:00 UTC  run_changed          r1  unit running: 3 passed, 1 failed, 2 running',
  ]);
  await ofPlan.says(/plan_changed.*\n/);
  expect(new Set(ofPlan.out().trimEnd().split('\n'))).toEqual(new Set([...lines].slice(0, 3)));
});

test('watch --json prints the messages as they come, and resumes after a cut', async () => {
  await using service = await start();
  await using watch = signalbox(['watch', '--json', '--url', service.url]);
  const told = () =>
    watch
      .out()
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  let said = 0;
  await until(
    () => told().length > 0,
    () => {
      said += 1;
      announceNumbered(service, said, said);
    },
  );
  for (const server of service.running.coordination.servers) server.closeAllConnections();
  announceNumbered(service, said + 1, said + 1);
  await watch.says(/reconnected/);
  while (Number(told().at(-1)?.data.sessions[0]) !== said + 1) await new Promise((resolve) => setTimeout(resolve, 20));
  const ids = told().map(({ id }) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
});

test('watch connects again when the line went silent without an end', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  const ids: number[] = [];
  const complaints: string[] = [];
  let isOver = false;
  const over = watchHere({
    address: new URL(`${proxy.url}/api/messages`),
    token: async () => {
      if (isOver) throw new CallFailed('over', 0);
      return undefined;
    },
    print: (_, { data }) => ids.push(Number((data as { sessions: string[] }).sessions[0])),
    complain: (text) => complaints.push(text),
    silentMs: 2_000,
  });
  const ended = expect(over).rejects.toThrow('over');
  await until(
    () => ids.includes(1),
    () => announceNumbered(service, 1, 1),
  );
  proxy.losesAnswers = true;
  announceNumbered(service, 2, 2);
  await expect.poll(() => complaints).toContain('connection lost; reconnecting');
  proxy.losesAnswers = false;
  await expect.poll(() => ids).toContain(2);
  expect(complaints).toContain('reconnected');
  isOver = true;
  proxy.cut();
  await ended;
});

test.each([429, 503])(
  'watch goes on after a gateway answered %i, and names it if that was the first answer',
  async (status) => {
    await using service = await start();
    await using gateway = await openGateway(service.url);
    await using watch = signalbox(['watch', '--url', gateway.url]);
    await until(
      () => watch.out().includes('agents_changed'),
      () => announceNumbered(service, 1, 1),
    );
    gateway.status = status;
    gateway.cut();
    await expect.poll(() => gateway.refused).toBeGreaterThan(0);
    await using late = signalbox(['watch', '--url', gateway.url]);
    expect(await late.ended).toBe(1);
    expect(late.err()).toContain(`answered with status ${status}`);
    gateway.status = 0;
    await watch.says(/reconnected/);
  },
);

test('watch says what to do if no service answers, and if a token is missing', async () => {
  await using nobody = signalbox(['watch', '--url', 'http://127.0.0.1:9']);
  expect(await nobody.ended).toBe(3);
  expect(nobody.err()).toMatch(/No service answers at http:\/\/127.0.0.1:9\. Start it/);

  await using service = await start({ settings: { Token: 'a-secret-of-this-test' } });
  await using stranger = signalbox(['watch', '--url', service.url]);
  expect(await stranger.ended).toBe(1);
  expect(stranger.err()).toContain('Set SIGNALBOX_TOKEN');

  await using known = signalbox(['watch', '--url', service.url], { SIGNALBOX_TOKEN: 'a-secret-of-this-test' });
  await until(
    () => known.out().includes('agents_changed'),
    () => announceNumbered(service, 1, 1),
  );
});
