import { once } from 'node:events';
import { mkdir, readFile, rm, rmdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { start } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';
import { startProvider } from './provider.ts';
import { browserOf, type Jar, signIn, startWithPeople, toCallback, visit } from './signed-in.ts';

const minute = 60_000;

test('a person who signs in is known by their email address, with the scopes of their groups', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  const me = await ada.call('GET', '/api/me');
  expect(me.body).toMatchObject({
    name: 'ada@example.com',
    kind: 'person',
    scopes: ['read', 'work'],
    tokenAsked: true,
    signedIn: { provider: new URL(provider.issuer).host, uncheckedSince: null },
  });
  const grace = await signIn(service, provider, 'grace');
  expect((await grace.call('GET', '/api/me')).body).toMatchObject({ scopes: ['read', 'work', 'author'] });
});

test('without a provider nothing of it is there', async () => {
  await using service = await start({ settings: { Token: operatorToken } });
  expect((await service.call('GET', '/api/sign-in')).body).toEqual({ provider: null });
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp'])
    expect((await service.call('GET', path)).status).toBe(404);
  expect((await service.call('GET', '/api/sign-in/start')).status).toBe(401);
  expect((await service.call('GET', '/api/plans')).headers.get('www-authenticate')).toBe('Bearer');
  expect((await service.call('POST', '/api/sign-in/device')).status).toBe(400);
});

test('with a provider every caller shows who they are, and is pointed to it', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const refused = await service.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect(refused.status).toBe(401);
  const metadata = `${service.url}/.well-known/oauth-protected-resource`;
  expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: service.url,
    authorization_servers: [provider.issuer],
  });
  expect(await (await fetch(`${metadata}/api/mcp`)).json()).toMatchObject({ resource: `${service.url}/api/mcp` });
});

test("a person's name is on claims, sign-offs and audit lines, and nobody else can use it", async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const [ada, grace, root] = [
    await signIn(service, provider, 'ada'),
    await signIn(service, provider, 'grace'),
    await signIn(service, provider, 'root'),
  ];
  const nodes = [{ id: 'cart', binding: { kind: 'signOff' } }];
  expect((await grace.call('POST', '/api/plans', { plan: 'shop', title: 'Shop', nodes })).status).toBe(201);
  const claimed = await ada.call('POST', '/api/plans/shop/nodes/cart/claim', {});
  expect(claimed.body).toMatchObject({ node: { claimedBy: 'ada@example.com' } });
  const posed = await ada.call('POST', '/api/plans/shop/nodes/cart/release', { agent: 'grace@example.com' });
  expect(posed.body).toMatchObject({ code: 'name_not_yours' });
  expect((await ada.call('POST', '/api/plans/shop/nodes/cart/sign-off', {})).body).toMatchObject({
    code: 'scope_required',
    detail:
      'sign_off_node needs the author scope. ada@example.com has only work; ask to be added to the group leads or ops.',
  });
  expect((await grace.call('POST', '/api/plans/shop/nodes/cart/sign-off', { note: 'tried' })).status).toBe(200);
  const { body: audit } = await root.call('GET', '/api/audit?limit=100');
  const lines = audit.items.map(
    ({ name, command, outcome }: Record<string, string>) => `${name} ${command} ${outcome}`,
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      'ada@example.com sign_in done',
      'ada@example.com claim_node done',
      'ada@example.com release_node name_not_yours',
      'grace@example.com sign_off_node done',
    ]),
  );
});

test('a person without a mapped group is refused with the groups that are needed', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  provider.next.user = 'eve';
  const jar: Jar = new Map();
  const back = await visit(jar, await toCallback(jar, service.url, '/plans'));
  expect(back.headers.get('location')).toBe('/plans');
  const options = await visit(jar, `${service.url}/api/sign-in`);
  expect(await options.json()).toMatchObject({
    refused:
      'You are eve@example.com, and none of your groups (sales) gives access here. Ask to be added to one of these: eng (work), leads (author), ops (admin).',
  });
  expect(await (await visit(jar, `${service.url}/api/sign-in`)).json()).not.toHaveProperty('refused');
  expect((await browserOf(service.url, jar).call('GET', '/api/plans')).status).toBe(401);
});

test('a person signs out here and at the provider', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  const cookies = ada.cookie();
  const out = await ada.call('POST', '/api/logout');
  const next = new URL(out.body.next);
  expect(next.origin).toBe(provider.issuer);
  expect(next.searchParams.get('post_logout_redirect_uri')).toBe(`${service.url}/`);
  expect(next.searchParams.get('id_token_hint')).toMatch(/^ey/);
  expect((await service.call('GET', '/api/me', undefined, cookies)).status).toBe(401);
});

test('a sign-in ends after twelve hours', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  service.clock.advance(12 * 60 * minute - 1_000);
  expect((await ada.call('GET', '/api/me')).status).toBe(200);
  service.clock.advance(1_000);
  expect((await ada.call('GET', '/api/me')).status).toBe(401);
});

test('a person who is removed at the provider is out within ten minutes, and so are their open lines', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  const headers = { ...ada.cookie(), accept: 'text/event-stream' };
  const stream = await fetch(`${service.url}/api/messages`, { headers });
  expect(stream.status).toBe(200);
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/socket`, { headers: ada.cookie() });
  await once(socket, 'open');
  const ended = Promise.all([stream.text().catch(() => ''), once(socket, 'close')]);
  provider.people.delete('ada');
  // Nobody calls any more: the open connections are the only reason to ask the provider.
  const before = provider.asked.get('/token') ?? 0;
  service.clock.advance(4 * minute);
  await service.clock.tick();
  expect(provider.asked.get('/token')).toBe(before);
  service.clock.advance(5 * minute);
  await service.clock.tick();
  expect(provider.asked.get('/token')).toBe(before + 1);
  service.clock.advance(500);
  await service.clock.tick();
  await ended;
  expect((await ada.call('GET', '/api/me')).status).toBe(401);
});

test('a person who moves to another group has its scopes within ten minutes', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const grace = await signIn(service, provider, 'grace');
  provider.people.set('grace', { groups: ['eng'], email: 'grace@example.com' });
  service.clock.advance(10 * minute);
  expect((await grace.call('GET', '/api/me')).body).toMatchObject({ scopes: ['read', 'work'] });
  provider.people.set('grace', { groups: [], email: 'grace@example.com' });
  service.clock.advance(10 * minute);
  expect((await grace.call('GET', '/api/me')).status).toBe(401);
});

test('while the provider is away who signed in stays so, which is said, and is asked again when it is back', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  await provider.away();
  provider.people.delete('ada');
  service.clock.advance(11 * minute);
  const me = await ada.call('GET', '/api/me');
  expect(me.body).toMatchObject({ name: 'ada@example.com', signedIn: { uncheckedSince: expect.any(String) } });
  expect(service.logged()).toContain('the sign-in provider does not answer');
  const ready = await service.call('GET', '/api/ready');
  expect(ready.status).toBe(200);
  expect(ready.body.conditions).toMatchObject([{ code: 'sign_in_provider_away', severity: 'warning' }]);
  await provider.back();
  service.clock.advance(minute);
  expect((await ada.call('GET', '/api/me')).status).toBe(401);
});

test('a person stays signed in when the provider renews a sign-in, but cannot say who it is', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  const status = async () => {
    service.clock.advance(11 * minute);
    return (await ada.call('GET', '/api/me')).status;
  };
  provider.broken.add('/me');
  expect([await status(), await status()]).toEqual([200, 200]);
  provider.broken.clear();
  expect(await status()).toBe(200);
});

test('a person stays signed in while the file of logins cannot be written', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  const status = async () => {
    service.clock.advance(11 * minute);
    return (await ada.call('GET', '/api/me')).status;
  };
  const file = `${service.dataPath}/logins.json`;
  await rm(file);
  await mkdir(file);
  expect([await status(), await status()]).toEqual([200, 200]);
  await rmdir(file);
  expect(await status()).toBe(200);
});

test('a provider that is back ends the condition, even if nobody calls', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  await provider.away();
  await visit(new Map(), `${service.url}/api/sign-in/start?to=/`);
  const codes = async () =>
    (await service.call('GET', '/api/ready')).body.conditions.map(({ code }: { code: string }) => code);
  expect(await codes()).toEqual(['sign_in_provider_away']);
  await provider.back();
  service.clock.advance(minute);
  await service.clock.tick();
  expect(await codes()).toEqual([]);
});

test('without refresh tokens a sign-in is checked with its access token, and ends with it', async () => {
  await using provider = await startProvider({ refresh: false });
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  service.clock.advance(11 * minute);
  expect((await ada.call('GET', '/api/me')).status).toBe(200);
  service.clock.advance(60 * minute);
  expect((await ada.call('GET', '/api/me')).status).toBe(401);
});

test('a sign-in outlives a restart, and its file alone opens nothing', async () => {
  await using provider = await startProvider();
  const first = await startWithPeople(provider);
  const ada = await signIn(first, provider, 'ada');
  const { home } = first;
  const login = [...ada.jar.values()].join();
  await first.stop();
  const kept = await readFile(`${first.dataPath}/logins.json`, 'utf8');
  expect(kept).toContain('ada@example.com');
  for (const cookie of login.split(',')) expect(kept).not.toContain(cookie);
  await using again = await startWithPeople(provider, { home });
  // The port is a different one, and so is the name of the cookie.
  const jar: Jar = new Map([[`signalbox_login_${new URL(again.url).port}`, loginIn(ada.jar)]]);
  expect((await browserOf(again.url, jar).call('GET', '/api/me')).body).toMatchObject({ name: 'ada@example.com' });
});

const loginIn = (jar: Jar): string => [...jar].find(([name]) => name.startsWith('signalbox_login'))?.[1] ?? '';

test('a sign-in of another host is refused with that reason', async () => {
  await using provider = await startProvider();
  await using alpha = await startWithPeople(provider, { settings: { HostName: 'alpha' } });
  await using beta = await startWithPeople(provider, { settings: { HostName: 'beta' } });
  const ada = await signIn(alpha, provider, 'ada');
  const jar: Jar = new Map([[`signalbox_login_${new URL(beta.url).port}`, loginIn(ada.jar)]]);
  expect((await browserOf(beta.url, jar).call('GET', '/api/me')).body).toMatchObject({
    code: 'token_required',
    detail: 'This sign-in was made on the host alpha and is valid only there. Sign in on this host too.',
  });
});

test('an admin ends every sign-in at once', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const ada = await signIn(service, provider, 'ada');
  service.clock.advance(1_000);
  expect((await service.call('DELETE', '/api/logins', undefined, bearer(operatorToken))).status).toBe(204);
  expect((await ada.call('GET', '/api/me')).status).toBe(401);
});
