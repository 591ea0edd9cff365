import { expect } from 'vitest';
import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { send, sendBytes } from '../raw.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Route = readonly [url: string, method: string, path: string];

/** Every route of both ports, those that are no commands included, with some value for each part of a path. */
function routesOf({ url, consoleUrl }: Started): Route[] {
  const commands = (base: string, all: readonly { rest?: { method: string; path: string } }[]): Route[] =>
    all.flatMap(({ rest }) => (rest ? [[base, rest.method, rest.path.replace(/\{\w+\}/g, 'x')] as const] : []));
  const everywhere = ['/', '/api/health', '/api/openapi.json', '/api/docs', '/nowhere', '/api/nowhere'];
  return [
    ...commands(url, coordinationCommands),
    ...commands(consoleUrl, consoleCommands),
    ...[url, consoleUrl].flatMap((base) => everywhere.map((path) => [base, 'GET', path] as const)),
    ...[url, consoleUrl].map((base) => [base, 'POST', '/api/login'] as const),
    [url, 'POST', '/api/mcp'],
    [url, 'GET', '/api/messages'],
    [consoleUrl, 'POST', '/api/ingest'],
  ];
}

const codeOf = (text: string): string => (JSON.parse(text) as { code: string }).code;
const hostOf = (url: string) => new URL(url).host;

verifies(
  ['host:not-allowed-403', 'origin:checked-everywhere'],
  'a foreign Host is refused on every route of both ports',
  async () => {
    await using service = await start();
    for (const [url, method, path] of routesOf(service)) {
      for (const host of ['evil.example', '127.0.0.1.evil.example', `localhost.evil.example:${new URL(url).port}`]) {
        const { status, text } = await send(url, method, path, { host });
        expect.soft([status, codeOf(text)], `${method} ${path} ${host}`).toEqual([403, 'host_not_allowed']);
      }
    }
  },
);

verifies('host:allowed', 'a loopback name, the configured host and AllowedHosts are accepted as Host', async () => {
  await using service = await start({ settings: { AllowedHosts: 'box.example' } });
  const { port } = new URL(service.url);
  for (const host of ['localhost', 'LOCALHOST', `127.0.0.1:${port}`, `[::1]:${port}`, `box.example:${port}`]) {
    expect.soft((await send(service.url, 'GET', '/api/health', { host })).status, host).toBe(200);
  }
});

verifies(
  ['origin:not-allowed-403', 'origin:other-localhost-port', 'origin:checked-everywhere', 'origin:no-cors-wildcard'],
  'a foreign Origin is refused on every route of both ports, and never invited by CORS',
  async () => {
    await using service = await start();
    const origins = [
      'http://evil.example',
      'null',
      'http://localhost:9999',
      `http://127.0.0.1.evil.example:${new URL(service.url).port}`,
    ];
    for (const [url, method, path] of routesOf(service)) {
      for (const origin of origins) {
        const { status, text, headers } = await send(url, method, path, { host: hostOf(url), origin });
        expect.soft([status, codeOf(text)], `${method} ${path} ${origin}`).toEqual([403, 'origin_not_allowed']);
        expect.soft(headers['access-control-allow-origin']).toBeUndefined();
      }
    }
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
  const { url } = service;
  const from = (site: string, mode: string) => ({ host: hostOf(url), 'sec-fetch-site': site, 'sec-fetch-mode': mode });
  expect((await send(url, 'GET', '/api/health', from('cross-site', 'navigate'))).status).toBe(200);
  expect((await send(url, 'GET', '/api/health', from('same-origin', 'cors'))).status).toBe(200);
  for (const [method, site, mode] of [
    ['POST', 'cross-site', 'navigate'],
    ['DELETE', 'cross-site', 'cors'],
    ['GET', 'cross-site', 'no-cors'],
    ['GET', 'same-site', 'no-cors'],
  ] as const) {
    expect
      .soft((await send(url, method, '/api/plans', from(site, mode))).status, `${method} ${site} ${mode}`)
      .toBe(403);
  }
});

verifies(
  'body:media-type-415',
  'a cross-site simple POST, or any body that is not JSON, is a 415 and changes nothing',
  async () => {
    await using service = await start();
    const body = JSON.stringify({ plan: 'smuggled' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const { status, text } = await send(
        service.url,
        'POST',
        '/api/plans',
        { host: hostOf(service.url), ...(type && { 'content-type': type }) },
        body,
      );
      expect.soft([status, codeOf(text)], type).toEqual([415, 'unsupported_media_type']);
    }
    const zipped = await send(
      service.url,
      'POST',
      '/api/plans',
      { host: hostOf(service.url), 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    );
    expect(zipped.status).toBe(415);
    expect((await service.call('GET', '/api/plans')).body).toEqual([]);
  },
);

verifies(
  ['limits:too-large-413', 'limits:commands', 'limits:mcp'],
  'a body over its limit is a 413 at once, declared or not',
  async () => {
    await using service = await start();
    const before = process.memoryUsage().rss;
    for (const path of ['/api/plans', '/api/mcp']) {
      const declared = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n[`;
      expect.soft(await sendBytes(service.url, declared), path).toMatch(/^HTTP\/1.1 413 [\s\S]*body_too_large/);
      const chunk = `20000\r\n${' '.repeat(0x20000)}\r\n`;
      const streamed = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}`;
      expect.soft(await sendBytes(service.url, streamed), path).toMatch(/^HTTP\/1.1 413 /);
    }
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(150);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  },
);

verifies('limits:json-depth', 'JSON deeper than 64 levels is a 400, however deep', async () => {
  await using service = await start();
  for (const depth of [65, 100_000]) {
    const { status, body } = await service.call('POST', '/api/plans', '['.repeat(depth) + ']'.repeat(depth));
    expect.soft([status, body.code], String(depth)).toEqual([400, 'invalid_request']);
  }
  const inText = await service.call('POST', '/api/plans', { plan: 'deep', title: '[{'.repeat(100) });
  expect(inText.status).toBe(201);
});

verifies('names:pattern', 'names of prototypes are plain names or a 400, and pollute nothing', async () => {
  await using service = await start();
  expect((await service.call('POST', '/api/plans', '{"plan":"__proto__"}')).status).toBe(400);
  expect((await service.call('GET', '/api/plans/__proto__')).status).toBe(404);
  expect((await service.call('POST', '/api/plans', '{"plan":"a","__proto__":{"polluted":true}}')).status).toBe(400);
  for (const plan of ['constructor', 'toString', 'hasOwnProperty', 'prototype']) {
    const answer = await service.call('POST', '/api/plans', { plan, nodes: [{ id: plan }] });
    expect.soft([answer.status, answer.body.slug], plan).toEqual([201, plan]);
  }
  expect('polluted' in {}).toBe(false);
});

verifies(
  ['errors:problem-json', 'errors:no-stack-trace'],
  'what is no HTTP is answered with a problem and cut off',
  async () => {
    await using service = await start();
    const broken = {
      'two Hosts': 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      'an empty Host': 'GET /api/health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n',
      'no Host': 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n',
      smuggling:
        'POST /api/plans HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'two lengths': 'POST /api/plans HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n{}',
      garbage: 'HELO signalbox\r\n\r\n',
      'a huge header': `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
    };
    for (const [name, bytes] of Object.entries(broken)) {
      expect.soft(await sendBytes(service.url, bytes), name).toMatch(/^HTTP\/1.1 4\d\d /);
    }
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  },
);

verifies(
  ['pages:content-security-policy', 'pages:nosniff', 'pages:no-framing'],
  'every page and document carries a strict policy',
  async () => {
    await using service = await start();
    for (const [url, method, path] of routesOf(service)) {
      const { headers } = await send(url, method, path, { host: hostOf(url) });
      const policy = String(headers['content-security-policy']);
      expect.soft(policy, `${method} ${path}`).toMatch(/default-src 'none'/);
      expect.soft(policy, `${method} ${path}`).toMatch(/frame-ancestors 'none'/);
      expect.soft(policy, `${method} ${path}`).not.toMatch(/unsafe|http|\*/);
      expect.soft(headers['x-content-type-options'], `${method} ${path}`).toBe('nosniff');
    }
  },
);
