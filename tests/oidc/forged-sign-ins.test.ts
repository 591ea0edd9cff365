import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { generateKeyPair, importJWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { send } from '../raw-http.ts';
import { bearer, mcpWith, operatorToken } from '../tokens.ts';
import { clientId, startProvider, type TestProvider } from './provider.ts';
import { browserOf, type Jar, signIn, startWithPeople, toCallback, visit } from './signed-in.ts';

const refusedIn = async (jar: Jar, url: string): Promise<string> =>
  ((await (await visit(jar, `${url}/api/sign-in`)).json()) as { refused: string }).refused;

test('an answer of the provider counts once, in the browser that asked for it, with its state', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const jar: Jar = new Map();
  const callback = await toCallback(jar, service.url);
  const begun: Jar = new Map(jar);
  const stranger: Jar = new Map();
  await visit(stranger, callback);
  expect(await refusedIn(stranger, service.url)).toContain('not started in this browser');
  const other: Jar = new Map();
  await toCallback(other, service.url);
  await visit(other, callback);
  expect(await refusedIn(other, service.url)).toContain('not started in this browser');
  const bent = new URL(callback);
  bent.searchParams.set('state', 'x'.repeat(43));
  const bending: Jar = new Map(begun);
  await visit(bending, bent.href);
  expect(await refusedIn(bending, service.url)).toContain('not started in this browser');
  await visit(jar, callback);
  expect((await browserOf(service.url, jar).call('GET', '/api/me')).status).toBe(200);
  await visit(begun, callback);
  expect(await refusedIn(begun, service.url)).toContain('not started in this browser');
  expect((await browserOf(service.url, begun).call('GET', '/api/me')).status).toBe(401);
});

test('a sign-in that took too long is refused, and so is one that names another issuer', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const slow: Jar = new Map();
  const late = await toCallback(slow, service.url);
  service.clock.advance(11 * 60_000);
  await visit(slow, late);
  expect(await refusedIn(slow, service.url)).toContain('took too long');
  const jar: Jar = new Map();
  const mixed = new URL(await toCallback(jar, service.url));
  mixed.searchParams.set('iss', 'https://evil.example');
  await visit(jar, mixed.href);
  expect(await refusedIn(jar, service.url)).toContain('did not accept the sign-in');
});

test.each<[what: string, bend: (query: URLSearchParams) => void]>([
  ['without a nonce', (query) => query.delete('nonce')],
  ['with the nonce of another sign-in', (query) => query.set('nonce', 'x'.repeat(43))],
  ['with an empty nonce', (query) => query.set('nonce', '')],
])('an answer of the provider %s is refused', async (_, bend) => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const jar: Jar = new Map();
  let bent = 0;
  const callback = await toCallback(jar, service.url, '/', ({ origin, searchParams }) => {
    if (origin !== provider.issuer || !searchParams.has('nonce')) return;
    bend(searchParams);
    bent += 1;
  });
  expect([bent, callback.startsWith(`${service.url}/api/sign-in/callback`)]).toEqual([1, true]);
  await visit(jar, callback);
  // The provider exchanged the code, and the ID token that it returned was not accepted.
  expect(provider.asked.get('/token')).toBe(1);
  expect(await refusedIn(jar, service.url)).toContain('did not accept the sign-in');
  expect((await browserOf(service.url, jar).call('GET', '/api/me')).status).toBe(401);
});

test("after a sign-in the browser stays at this service, regardless of the URL's parameters", async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example', '/.//evil.example']) {
    const jar: Jar = new Map();
    const back = await visit(jar, await toCallback(jar, service.url, to));
    expect(back.headers.get('location'), to).toBe('/');
  }
});

test('a provider that names itself otherwise, or is not there, is refused in words', async () => {
  await using provider = await startProvider();
  const issuer = provider.issuer.replace('localhost', '127.0.0.1');
  await using service = await startWithPeople(provider, { settings: { OidcIssuer: issuer } });
  const jar: Jar = new Map();
  expect(await toCallback(jar, service.url)).toBe(`${service.url}/`);
  expect(await refusedIn(jar, service.url)).toMatch(/127\.0\.0\.1:\d+ (did not accept|cannot be reached)/);
  await using gone = await startWithPeople(provider);
  await provider.away();
  expect(await toCallback(jar, gone.url)).toBe(`${gone.url}/`);
  expect(await refusedIn(jar, gone.url)).toContain('cannot be reached from here (ECONNREFUSED)');
});

test('with a cookie nothing can be written from another site, nor a line be opened', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const grace = await signIn(service, provider, 'grace');
  const plan = { plan: 'shop', title: 'Shop', nodes: [{ id: 'cart' }] };
  const foreign = await grace.call('POST', '/api/plans', plan, { origin: 'https://evil.example' });
  expect(foreign.body).toMatchObject({ code: 'origin_not_allowed' });
  const embedded = await grace.call('POST', '/api/plans', plan, {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'no-cors',
  });
  expect(embedded.body).toMatchObject({ code: 'origin_not_allowed' });
  for (const path of ['/api/socket', '/api/messages']) {
    const headers = { ...grace.cookie(), origin: 'https://evil.example' };
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}${path}`, { headers });
    const [fault] = await once(socket, 'error');
    expect(String(fault)).toContain('403');
  }
  const set = (await visit(new Map(), `${service.url}/api/sign-in/start`)).headers.getSetCookie().join();
  expect(set).toMatch(/HttpOnly; SameSite=Lax/);
  const jar: Jar = new Map();
  const back = await visit(jar, await toCallback(jar, service.url));
  expect(back.headers.getSetCookie().find((cookie) => cookie.startsWith('signalbox_login'))).toMatch(
    /Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict/,
  );
});

async function signed(provider: TestProvider, claims: object, header: object = {}): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000);
  const all = {
    iss: provider.issuer,
    sub: 'ada',
    aud: clientId,
    iat: seconds,
    exp: seconds + 300,
    email: 'ada@example.com',
    groups: ['eng'],
    ...claims,
  };
  return new SignJWT(all)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'at+jwt', ...header })
    .sign(await importJWK(provider.privateJwk, 'RS256'));
}

test('an access token of the provider counts on REST and MCP, if it is for this service', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const me = async (token: string) => (await service.call('GET', '/api/me', undefined, bearer(token))).body;
  expect(await me(await signed(provider, {}))).toMatchObject({
    kind: 'person',
    name: 'ada@example.com',
    scopes: ['read', 'work'],
  });
  expect(await me(await signed(provider, { aud: `${service.url}/api/mcp` }))).toMatchObject({ kind: 'person' });
  expect(await me(await signed(provider, { aud: 'account', azp: clientId }))).toMatchObject({ kind: 'person' });
  const client = await mcpWith(service.url, await signed(provider, { aud: service.url }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('claim_next');
  await client.close();
});

test('a token that is forged, old, for another service or from another issuer is refused through every door', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const seconds = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    iss: provider.issuer,
    sub: 'ada',
    aud: clientId,
    iat: seconds,
    exp: seconds + 300,
    groups: ['ops'],
    email: 'ada@example.com',
  };
  const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`;
  const body = `${part({ alg: 'HS256', kid: 'k1' })}.${part(claims)}`;
  const jwks = await (await fetch(`${provider.issuer}/jwks`)).text();
  const symmetric = `${body}.${createHmac('sha256', jwks).update(body).digest('base64url')}`;
  const { privateKey } = await generateKeyPair('RS256');
  const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
  const tokens: Record<string, string> = {
    'alg none': unsigned,
    'a shared secret': symmetric,
    'another key': forged,
    'another issuer': await signed(provider, { iss: 'https://evil.example' }),
    'another audience': await signed(provider, { aud: 'other' }),
    'an address of somebody else': await signed(provider, { aud: 'https://evil.example/' }),
    'an ID token': await signed(provider, { nonce: 'n' }),
    over: await signed(provider, { exp: seconds - 60, iat: seconds - 120 }),
    'too old to be trusted unasked': await signed(provider, { iat: seconds - 11 * 60 }),
    'in no group': await signed(provider, { groups: ['sales'] }),
    opaque: 'a-token-that-nobody-issued',
  };
  for (const [what, token] of Object.entries(tokens)) {
    const rest = await service.call('GET', '/api/plans', undefined, bearer(token));
    expect([401, 403, 429], what).toContain(rest.status);
    const mcp = await service.call('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer(token));
    expect([401, 403, 429], what).toContain(mcp.status);
    const console = await service.console('GET', '/api/runs', undefined, bearer(token));
    expect([401, 403, 429], what).toContain(console.status);
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/socket`, { headers: bearer(token) });
    const [fault] = await once(socket, 'error');
    expect(String(fault), what).toMatch(/40[13]|429/);
  }
  expect((await service.call('GET', '/api/plans', undefined, bearer(operatorToken))).status).toBe(200);
});

test('a Host header cannot make a token for another audience valid here', async () => {
  await using provider = await startProvider();
  await using service = await startWithPeople(provider);
  const token = await signed(provider, { aud: 'http://evil.example' });
  const answer = await send(service.url, 'GET', '/api/me', { host: 'evil.example', ...bearer(token) });
  expect(answer.status).toBe(401);
});
