import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { send, sendBytes } from '../raw-http.ts';
import { recordFigure } from '../rounds.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { changingRoutes, codeOf, describeRoute, hostOf, type Route, stateOf } from './routes.ts';

const mebibyte = 1024 * 1024;
const json = (url: string, more = {}) => ({ host: hostOf(url), 'content-type': 'application/json', ...more });
const post = ({ url, method, path }: Route, body: string | Buffer, more = {}) =>
  send(url, method, path, json(url, more), body);

verifies(
  ['limits:too-large-413', 'limits:commands', 'limits:mcp', 'limits:import-model-ingest'],
  'a body over its limit is a 413 at once on every route that takes one, declared or not',
  async () => {
    await using service = await start();
    const before = process.memoryUsage().rss;
    const chunk = `20000\r\n${' '.repeat(0x20000)}\r\n`;
    for (const route of changingRoutes(service).filter(({ takesBody }) => takesBody)) {
      const head = `${route.method} ${route.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
      const declared = await sendBytes(route.url, `${head}Content-Length: ${100 * mebibyte}\r\n\r\n[`);
      expect.soft(declared, describeRoute(route)).toMatch(/^HTTP\/1.1 413 [\s\S]*body_too_large/);
      const streamed = await sendBytes(route.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}`);
      expect.soft(streamed, describeRoute(route)).toMatch(/^HTTP\/1.1 413 /);
    }
    const more = (process.memoryUsage().rss - before) / mebibyte;
    recordFigure('A5', `${more.toFixed(0)} MB more after all of them, garbage included`);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  },
);

verifies(
  'body:media-type-415',
  'a compressed body is refused before it is opened, on every route that takes one',
  async () => {
    await using service = await start();
    const before = await stateOf(service);
    // 64 MiB of spaces and a batch, in 64 KiB.
    const bomb = gzipSync(Buffer.concat([Buffer.alloc(64 * mebibyte, ' '), Buffer.from('[]')]));
    for (const route of changingRoutes(service).filter(({ takesBody }) => takesBody)) {
      const { status, text } = await post(route, bomb, { 'content-encoding': 'gzip' });
      expect.soft([status, codeOf(text)], describeRoute(route)).toEqual([415, 'unsupported_media_type']);
    }
    expect(await stateOf(service)).toEqual(before);
  },
);

verifies('limits:json-depth', 'JSON deeper than 64 levels is a 413 on every route, however deep', async () => {
  await using service = await start();
  for (const route of changingRoutes(service).filter(({ takesBody }) => takesBody)) {
    for (const depth of [65, 100_000]) {
      const { status, text } = await post(route, '['.repeat(depth) + ']'.repeat(depth));
      // A batch that is one deep array is not a valid batch, and the answer names the error.
      const expected = route.pattern === '/api/ingest' ? [202, 413] : [413];
      expect.soft(expected, `${describeRoute(route)} ${depth} ${text.slice(0, 80)}`).toContain(status);
    }
  }
  const inText = await service.call('POST', '/api/plans', { plan: 'deep', title: '[{'.repeat(100) });
  expect(inText.status).toBe(201);
});

/** Bodies that have broken parsers. */
const odd: Record<string, string | Buffer> = {
  'ten thousand keys': `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":0`).join()}}`,
  'a number beyond all numbers': '{"leaseMinutes":1e999,"agent":"a"}',
  'a key twice': '{"plan":"twice","plan":"twice","agent":"a","agent":"b"}',
  'a byte order mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"plan":"bom"}')]),
  'half a character': '{"plan":"\\ud800","agent":"\\udfff","token":"\\ud800"}',
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'overlong UTF-8': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'another alphabet for JSON': Buffer.from('{"plan":"wide"}', 'utf16le'),
  'a bare word': 'undefined',
  'an unfinished text': '{"plan":"x',
  NaN: '{"leaseMinutes":NaN}',
};

test('strange JSON is refused or taken on every route, and never a fault of ours', async () => {
  await using service = await start();
  for (const route of changingRoutes(service).filter(({ takesBody }) => takesBody)) {
    for (const [what, body] of Object.entries(odd)) {
      const { status, text } = await post(route, body);
      expect.soft(status, `${describeRoute(route)}: ${what}: ${text.slice(0, 200)}`).toBeLessThan(500);
      // The answer to an invalid body must not be longer than the body.
      expect.soft(text.length, `${describeRoute(route)}: ${what}`).toBeLessThan(100_000);
    }
  }
  expect(service.logged()).not.toContain('a request failed with an unexpected error');
});

test('a YAML plan full of garbage gets its first errors and the number of others', async () => {
  await using service = await start();
  const { url } = service;
  const headers = { host: hostOf(url), 'content-type': 'application/yaml' };
  for (const part of ['a:\n', '{', '&a ', '- - \n', '? ']) {
    const { status, text } = await send(url, 'PUT', '/api/plans/p', headers, part.repeat(10_000 / part.length));
    expect.soft(status, part).toBe(400);
    expect.soft(text.length, part).toBeLessThan(200_000);
  }
});

test('a text that is taken is stored exactly', async () => {
  await using service = await start();
  for (const [index, title] of [
    'lone \ud800',
    '\u0000\u001f',
    'e\u0301 and é',
    '\u202eRTL 👩‍👩‍👧',
    '\ufeffmark',
  ].entries()) {
    const made = await service.call('POST', '/api/plans', { plan: `p${index}`, title });
    expect.soft([made.status, made.body.title], JSON.stringify(title)).toEqual([201, title]);
    expect.soft((await service.call('GET', `/api/plans/p${index}`)).body.title).toBe(title);
  }
});
