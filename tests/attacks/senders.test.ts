import { expect } from 'vitest';
import { send, sendBytes } from '../raw-http.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { changingRoutes, codeOf, describeRoute, hostOf, routesOf, stateOf } from './routes.ts';
import { routesOpenToStrangers } from './strangers.ts';

verifies(
  ['host:not-allowed-403', 'origin:checked-everywhere'],
  'a foreign Host is refused on every route of both ports',
  async () => {
    await using service = await start();
    for (const route of routesOf(service)) {
      const { url, method, path } = route;
      const { port } = new URL(url);
      for (const host of ['evil.example', '127.0.0.1.evil.example', `localhost.evil.example:${port}`]) {
        const { status, text } = await send(url, method, path, { host });
        expect.soft([status, codeOf(text)], `${describeRoute(route)} ${host}`).toEqual([403, 'host_not_allowed']);
      }
    }
  },
);

verifies(
  ['origin:checked-everywhere', 'errors:problem-json'],
  'no Host, an empty one or two of them are refused on every route of both ports',
  async () => {
    await using service = await start();
    for (const route of routesOf(service)) {
      const { url, method, path } = route;
      for (const hosts of ['', 'Host: \r\n', 'Host: localhost\r\nHost: evil.example\r\n']) {
        const answer = await sendBytes(url, `${method} ${path} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
        expect.soft(answer, `${describeRoute(route)} ${hosts}`).toMatch(/^HTTP\/1.1 (400|403) /);
      }
    }
  },
);

verifies('host:allowed', 'a loopback name, the configured host and AllowedHosts are accepted as Host', async () => {
  const AllowedHosts = 'box.example, van.example:5526, fe80::7, [fe80::8]:5526';
  await using service = await start({ settings: { AllowedHosts } });
  const { port } = new URL(service.url);
  const configured = ['box.example', 'van.example', '[fe80::7]', '[fe80::8]'].map((name) => `${name}:${port}`);
  for (const host of ['localhost', 'LOCALHOST', `127.0.0.1:${port}`, `[::1]:${port}`, ...configured]) {
    expect.soft((await send(service.url, 'GET', '/api/health', { host })).status, host).toBe(200);
  }
});

verifies(
  ['origin:not-allowed-403', 'origin:other-localhost-port', 'origin:checked-everywhere', 'origin:no-cors-wildcard'],
  'a foreign Origin is refused on every route of both ports, and never invited by CORS',
  async () => {
    await using service = await start();
    expect(await routesOpenToStrangers(service)).toEqual([]);
  },
);

verifies(
  ['origin:own-ports', 'origin:allowed'],
  'the own origins of either port and AllowedOrigins are accepted',
  async () => {
    await using service = await start({ settings: { AllowedOrigins: 'https://board.example' } });
    for (const origin of [service.url, service.consoleUrl, 'https://board.example']) {
      expect
        .soft((await send(service.url, 'GET', '/api/plans', { host: hostOf(service.url), origin })).status, origin)
        .toBe(200);
    }
  },
);

verifies('origin:checked-everywhere', 'a page of another site may link here and do nothing else', async () => {
  await using service = await start();
  const from = (url: string, site: string, mode: string) => ({
    host: hostOf(url),
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
  });
  const { url } = service;
  expect((await send(url, 'GET', '/api/health', from(url, 'cross-site', 'navigate'))).status).toBe(200);
  expect((await send(url, 'GET', '/api/health', from(url, 'same-origin', 'cors'))).status).toBe(200);
  for (const route of routesOf(service)) {
    for (const [site, mode] of [
      ['cross-site', route.method === 'GET' ? 'no-cors' : 'navigate'],
      ['cross-site', 'cors'],
      ['same-site', 'no-cors'],
    ] as const) {
      const { status, text } = await send(route.url, route.method, route.path, from(route.url, site, mode));
      expect
        .soft([status, codeOf(text)], `${describeRoute(route)} ${site} ${mode}`)
        .toEqual([403, 'origin_not_allowed']);
    }
  }
});

verifies(
  'body:media-type-415',
  'a cross-site simple POST is a 415 on every route that takes a body, and changes nothing',
  async () => {
    await using service = await start();
    const before = await stateOf(service);
    const body = JSON.stringify({ plan: 'smuggled', events: [{ type: 'run_heartbeat', runId: 'smuggled' }] });
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''];
    // A page of another site cannot send a PUT without a preflight request, so a pushed model may have any text type.
    const isPush = ({ method, path }: { method: string; path: string }) =>
      method === 'PUT' && path.startsWith('/api/event-model');
    for (const route of changingRoutes(service).filter((one) => one.takesBody && !isPush(one))) {
      for (const type of types) {
        const headers = { host: hostOf(route.url), ...(type && { 'content-type': type }) };
        const { status, text } = await send(route.url, route.method, route.path, headers, body);
        expect.soft([status, codeOf(text)], `${describeRoute(route)} ${type}`).toEqual([415, 'unsupported_media_type']);
      }
    }
    expect(await stateOf(service)).toEqual(before);
  },
);

verifies(
  ['pages:content-security-policy', 'pages:nosniff', 'pages:no-framing'],
  'every page and document carries a strict policy',
  async () => {
    await using service = await start();
    const undecodable = {
      url: service.url,
      method: 'GET',
      path: '/api/plans/%zz',
      pattern: '/api/plans/%zz',
      takesBody: false,
    };
    for (const route of [...routesOf(service), undecodable]) {
      const { url, method, path } = route;
      const { headers } = await send(url, method, path, { host: hostOf(url), accept: 'application/json' });
      const policy = String(headers['content-security-policy']);
      expect.soft(policy, describeRoute(route)).toMatch(/default-src 'none'/);
      expect.soft(policy, describeRoute(route)).toMatch(/frame-ancestors 'none'/);
      expect.soft(policy, describeRoute(route)).not.toMatch(/unsafe|http|\*/);
      expect.soft(headers['x-content-type-options'], describeRoute(route)).toBe('nosniff');
    }
  },
);
