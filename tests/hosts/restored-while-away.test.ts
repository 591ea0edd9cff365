import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { connect } from '../../packages/service/src/client/connect.ts';
import { createAgentHome, finalAnswer } from '../agents/agent-home.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';
import { start } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';
import { newMcpClient } from '../transports.ts';

const operator = bearer(operatorToken);
const settings = { Token: operatorToken, LicenceGate: 'off' };

test('a token that was revoked before a restore is revoked again in the restored log, also where the hosts were cut off meanwhile', async () => {
  await using proxy = await openCuttingProxy();
  const Store = await cloneDatabase();
  await using ada = await start({
    clock: systemClock,
    settings: { ...settings, Store: proxy.through(Store), HostName: 'ada' },
  });
  const quin = (await ada.call('POST', '/api/tokens', { name: 'quin', scopes: ['work'] }, operator)).body.token;
  const kept = await dump(Store);
  await ada.call('DELETE', '/api/tokens/quin', undefined, operator);
  const revoked = () => JSON.parse(readFileSync(join(ada.dataPath, 'revoked.json'), 'utf8')).length;
  await expect.poll(revoked).toBe(1);

  proxy.refuse(true);
  proxy.cut();
  await restoreInPlace(Store, kept, true);
  proxy.refuse(false);

  // A host that was never told of the revocation reads it in the log.
  await using bob = await start({ clock: systemClock, settings: { ...settings, Store, HostName: 'bob' } });
  await expect.poll(async () => (await bob.call('GET', '/api/plans', undefined, bearer(quin))).status).toBe(401);
});

test('a wait for a node is answered when a restored log has freed it, and not only at its timeout', async () => {
  const Store = await cloneDatabase();
  await using ada = await start({ clock: systemClock, settings: { Store } });
  await ada.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'cart' }] });
  const kept = await dump(Store);
  await ada.call('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'eve' });
  using box = connect({ url: ada.url });
  const timeoutSeconds = 50;
  const wait = box.call('await_node', { plan: 'shop', node: 'cart', until: 'unclaimed', timeoutSeconds });
  await restoreInPlace(Store, kept, true);
  const { outcome, waitedSeconds } = await wait;
  expect(outcome).toBe('unclaimed');
  expect(waitedSeconds).toBeLessThan(timeoutSeconds);
});

test('a claim finds its session again in a restored log that had not heard of it, without any other change', async () => {
  const Store = await cloneDatabase();
  await using scene = await createAgentHome();
  const session = await scene.session(1, await scene.repository('shop', 'acme/shop'));
  await session.appendRecord(finalAnswer);
  await session.reportStatus('busy');
  await using ada = await start({ clock: systemClock, settings: { Store, SessionsPath: scene.config } });
  await expect.poll(async () => (await ada.call('GET', '/api/agents')).body.sessions[0]?.state).toBe('running');
  await ada.call('POST', '/api/plans', { plan: 'shop', repository: 'acme/shop', nodes: [{ id: 'cart' }] });
  await ada.call('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'eve' });
  const kept = await dump(Store);
  await ada.call('POST', '/api/plans', { plan: 'lost' });
  const linked = async () => (await ada.call('GET', '/api/plans/shop/status')).body.nodes[0].claim.linkedBy;
  await expect.poll(linked).toBe('inferred');

  await restoreInPlace(Store, kept, true);
  await expect.poll(async () => (await ada.call('GET', '/api/plans/lost')).status).toBe(404);
  await expect.poll(linked).toBe('inferred');
});

test('an MCP client that subscribed to a plan is notified of a restore', async () => {
  const Store = await cloneDatabase();
  await using ada = await start({ clock: systemClock, settings: { Store } });
  await ada.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'cart' }] });
  const kept = await dump(Store);
  await ada.call('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'eve' });
  await ada.call('POST', '/api/plans', { plan: 'lost' });
  const client = await newMcpClient(ada.url);
  const heard = new Set<string>();
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.add(params.uri));
  const uris = ['signalbox://plan/lost', 'signalbox://plan/shop'];
  await client.listen({ resourceSubscriptions: uris });

  await restoreInPlace(Store, kept, true);
  await expect.poll(() => [...heard].sort()).toEqual(uris);
  await client.close();
});
