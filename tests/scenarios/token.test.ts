import { expect } from 'vitest';
import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { send } from '../raw-http.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const bearer = { authorization: 'Bearer a-secret-of-this-test' };
const closed = (settings: Record<string, string> = {}) =>
  start({ settings: { Token: 'a-secret-of-this-test', ...settings } });

verifies(
  ['token:every-route', 'token:missing-401', 'token:wrong-401'],
  'with a token set every API route but ping and health wants it',
  async () => {
    await using service = await closed();
    const routes = [
      ...coordinationCommands.map(({ rest }) => [service.call, rest] as const),
      ...consoleCommands.map(({ rest }) => [service.console, rest] as const),
    ];
    for (const [call, rest] of routes) {
      if (!rest || rest.path === '/api/ping') continue;
      const path = rest.path.replace(/\{\w+\}/g, 'x');
      const body = rest.method === 'GET' || rest.method === 'DELETE' ? undefined : {};
      expect.soft((await call(rest.method, path, body)).body.code, path).toBe('token_required');
      // Wrong tokens are limited; a minute later no longer.
      service.clock.advance(61_000);
      expect
        .soft((await call(rest.method, path, body, { authorization: 'Bearer wrong' })).body.code, path)
        .toBe('token_invalid');
      expect.soft((await call(rest.method, path, body, bearer)).status, path).not.toBe(401);
    }
    for (const path of ['/api/mcp', '/api/messages', '/api/licence', '/api/nowhere'])
      expect.soft((await service.call('GET', path)).status, path).toBe(401);
    const host = new URL(service.url).host;
    const disguised = [
      '/%61pi/plans',
      `http://${host}/api/plans`,
      '//api/plans',
      '/api//plans',
      '/api/plans/',
      '/api/plans?x',
      '/api/../api/plans',
      '/API/plans',
    ];
    for (const path of disguised) {
      const { status, text } = await send(service.url, 'GET', path, { host });
      expect
        .soft(
          status === 401 || (status === 404 && !text.includes('slug')) || text.includes('<html'),
          `${path} ${status}`,
        )
        .toBe(true);
    }
    for (const path of ['/api/ping', '/api/health'])
      expect.soft((await service.call('GET', path)).status, path).toBe(200);
  },
);

verifies('token:open-ingest', 'with OpenIngest the publishers need no token, and nothing else is open', async () => {
  await using shut = await closed();
  await using open = await closed({ OpenIngest: 'true' });
  const publishers = [
    ['POST', '/api/ingest'],
    ['GET', '/api/event-model'],
    ['PUT', '/api/event-model'],
    ['PUT', '/api/event-model/x'],
  ] as const;
  for (const [method, path] of publishers) {
    const body = method === 'GET' ? undefined : {};
    expect.soft((await shut.console(method, path, body)).status, path).toBe(401);
    expect.soft((await open.console(method, path, body)).status, path).not.toBe(401);
  }
  for (const [method, path] of [
    ['DELETE', '/api/event-model/x'],
    ['GET', '/api/event-model/coverage'],
    ['GET', '/api/runs'],
  ] as const) {
    expect.soft((await open.console(method, path)).status, path).toBe(401);
  }
});

verifies(
  ['login:cookie', 'login:logout', 'login:wrong-401', 'login:static-files-open', 'licence:login-never-gated'],
  'the web logs in once by the token and then shows a cookie',
  async () => {
    await using service = await closed({ Licence: 'none', LicenceGate: 'record' });
    expect((await service.call('GET', '/')).status).not.toBe(401);
    expect((await service.call('POST', '/api/login', { token: 'wrong' })).body.code).toBe('token_invalid');
    const login = await service.call('POST', '/api/login', { token: 'a-secret-of-this-test' });
    const cookie = login.headers.get('set-cookie') ?? '';
    expect([login.status, cookie]).toEqual([
      204,
      expect.stringMatching(/^signalbox_login_\d+=.*; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(cookie).not.toContain('a-secret-of-this-test');
    const shown = { cookie: cookie.split(';')[0] ?? '' };
    expect((await service.call('GET', '/api/plans', undefined, shown)).status).toBe(200);
    expect((await service.call('GET', '/api/plans', undefined, { cookie: `${shown.cookie}x` })).status).toBe(401);
    const logout = await service.call('POST', '/api/logout', undefined, shown);
    expect([logout.status, logout.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await service.call('GET', '/api/plans', undefined, shown)).status).toBe(401);
  },
);

verifies(
  ['login:throttled-429', 'token:guesses-slowed', 'token:right-one-let-in'],
  'wrong tokens are slowed down at both doors, and the right one never is',
  async () => {
    await using service = await closed();
    const login = (token: string) => service.call('POST', '/api/login', { token });
    const call = (token: string) => service.call('GET', '/api/plans', undefined, { authorization: `Bearer ${token}` });
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await login(`guess ${tries}`)).status).toBe(401);
      expect((await call(`other guess ${tries}`)).status).toBe(401);
    }
    for (const told of [await login('guess'), await call('guess')])
      expect([told.status, told.body.code, told.headers.get('retry-after')]).toEqual([429, 'too_many_requests', '60']);
    expect((await login('a-secret-of-this-test')).status).toBe(204);
    expect((await service.call('GET', '/api/plans', undefined, bearer)).status).toBe(200);
    service.clock.advance(61_000);
    expect((await call('guess')).status).toBe(401);
  },
);

verifies('origin:not-allowed-403', 'a token does not let a foreign page in', async () => {
  await using service = await closed();
  const answer = await service.call('GET', '/api/plans', undefined, { ...bearer, origin: 'http://evil.example' });
  expect([answer.status, answer.body.code]).toEqual([403, 'origin_not_allowed']);
});

verifies('checks:token-before-licence', 'a missing token is answered before a missing licence', async () => {
  await using service = await closed({ Licence: 'none', LicenceGate: 'record' });
  expect((await service.call('POST', '/api/plans', {})).status).toBe(401);
  expect((await service.call('POST', '/api/plans', {}, bearer)).status).toBe(402);
  expect(service.logged()).not.toContain('a-secret-of-this-test');
});
