import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';
import { type Started, start } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 100 };
const operator = bearer(operatorToken);

async function webhook(): Promise<{ url: string; received: { type: string; subject: string }[] }> {
  const received: { type: string; subject: string }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    received.push(JSON.parse(text));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

test('a restore brings no revoked token back, sends no old notification again, and lists what is missing', async () => {
  const hook = await webhook();
  const Store = await cloneDatabase();
  const host = (HostName: string, more: Record<string, string> = {}): Promise<Started> =>
    start({ clock: systemClock, settings: { Store, HostName, Token: operatorToken, LicenceGate: 'off', ...more } });
  await using ada = await host('ada', { Notify: hook.url });
  await using bob = await host('bob');
  const hosts = [ada, bob];
  const call = (one: Started, method: string, path: string, body?: unknown, headers = operator) =>
    one.call(method, path, body, headers);
  const nodes = [{ id: 'a', binding: { kind: 'signOff' } }];
  await call(ada, 'POST', '/api/plans', { plan: 'shop', nodes });
  const quin = (await call(ada, 'POST', '/api/tokens', { name: 'quin', scopes: ['work'] })).body.token;
  const kept = await dump(Store);

  await bob.console('POST', '/api/ingest', { events: wholeRun('red', 'Cart/total', 'Failed') }, operator);
  await expect.poll(() => hook.received.filter(({ type }) => type === 'run_failed').length, patience).toBe(1);
  await call(ada, 'DELETE', '/api/tokens/quin');
  await call(ada, 'POST', '/api/tokens', { name: 'newbie', scopes: ['work'] });
  await call(ada, 'POST', '/api/plans/shop/nodes', { id: 'b' });
  await call(ada, 'POST', '/api/plans/shop/nodes/a/sign-off', { by: 'ida' });
  const status = async (one: Started) => (await call(one, 'GET', '/api/plans', undefined, bearer(quin))).status;
  for (const one of hosts) await expect.poll(() => status(one), patience).toBe(401);
  const keeps = (one: Started) => JSON.parse(readFileSync(join(one.dataPath, 'revoked.json'), 'utf8')).length;
  for (const one of hosts) await expect.poll(() => keeps(one), patience).toBe(1);

  await restoreInPlace(Store, kept, true);
  const replaced = async (one: Started) =>
    (await call(one, 'GET', '/api/needs')).body.needs.find(({ kind }: { kind: string }) => kind === 'history_replaced')
      ?.detail;
  for (const one of hosts) {
    await expect.poll(() => replaced(one), patience).toMatch(/events are gone, among them 1 token, 1 sign-off, 1 node/);
    expect(await status(one)).toBe(401);
  }
  // No observation ends this need: only a person knows whether the restore was intended.
  const reader = (await call(ada, 'POST', '/api/tokens', { name: 'reader', scopes: ['author'] })).body.token;
  await expect
    .poll(async () => (await call(bob, 'GET', '/api/plans', undefined, bearer(reader))).status, patience)
    .toBe(200);
  expect((await call(bob, 'POST', '/api/needs/accept-history', {}, bearer(reader))).status).toBe(403);
  await call(bob, 'DELETE', '/api/tokens/reader');
  expect((await call(bob, 'POST', '/api/needs/accept-history', {})).body).toEqual({ accepted: true });
  for (const one of hosts) await expect.poll(() => replaced(one), patience).toBeUndefined();
  expect((await call(bob, 'POST', '/api/needs/accept-history', {})).body).toEqual({ accepted: false });
  const says = (await call(ada, 'GET', '/api/activity?kind=token')).body.map((entry: { says: string }) => entry.says);
  expect(says).toContain('operator accepted that the history was replaced.');

  const names = async (one: Started) =>
    (await call(one, 'GET', '/api/tokens')).body.map(({ name }: { name: string }) => name);
  for (const one of hosts) await expect.poll(() => names(one), patience).toEqual([]);
  const runs = async (one: Started) => (await call(one, 'GET', '/api/runs')).body.length;
  await expect.poll(() => runs(ada), patience).toBe(1);
  const failed = hook.received.filter(({ type }) => type === 'run_failed').map(({ subject }) => subject);
  expect(failed).toEqual(['red']);
});
