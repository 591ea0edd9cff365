import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { announceNumbered, numbersIn, passTurns, range } from '../hub/announcing.ts';
import { rawEvents, viaSignalr, viaSocket } from '../hub/clients.ts';
import { sendBytes } from '../raw-http.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const upgrade = (headers: Record<string, string>, path = '/api/messages') =>
  [
    `GET ${path} HTTP/1.1`,
    ...Object.entries({
      Host: 'localhost',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

verifies(
  ['origin:checked-everywhere', 'host:not-allowed-403', 'origin:not-allowed-403'],
  'a stranger is refused before the line changes its protocol',
  async () => {
    await using service = await start();
    const refused: Record<string, [Record<string, string>, string]> = {
      'a foreign origin': [{ Origin: 'http://evil.example' }, '403'],
      'no origin at all, as a sandboxed page says': [{ Origin: 'null' }, '403'],
      'another port of localhost': [{ Origin: 'http://localhost:9999' }, '403'],
      'a foreign host': [{ Host: 'evil.example' }, '403'],
      'a cross-site page': [{ 'Sec-Fetch-Site': 'cross-site' }, '403'],
      'an old version of the protocol': [{ 'Sec-WebSocket-Version': '7' }, '4'],
      'no key': [{ 'Sec-WebSocket-Key': '' }, '400'],
    };
    for (const [who, [headers, status]] of Object.entries(refused)) {
      expect.soft(await sendBytes(service.url, upgrade(headers)), who).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    }
    for (const path of ['/', '/api/mcp', '/api/messages/x', '/api/nowhere'])
      expect.soft(await sendBytes(service.url, upgrade({}, path)), path).toMatch(/^HTTP\/1.1 404 .*not_found/s);
    const own = { origin: service.url };
    await using welcome = await viaSocket(service, '', own);
    announceNumbered(service, 1, 1);
    await welcome.until(1);
  },
);

verifies(
  ['hub:access-token', 'token:every-route'],
  'an upgrade at what is no address at all is refused like any other that shows no token',
  async () => {
    await using service = await start({ settings: { Token: 'a-secret-of-this-test' } });
    for (const path of ['//', '//?access_token=a-secret-of-this-test', 'http://[/', 'http://a:99999/api/messages', '*'])
      expect.soft(await sendBytes(service.url, upgrade({}, path)), path).toMatch(/^HTTP\/1.1 4\d\d /);
    expect((await service.call('GET', '/api/health')).status).toBe(200);
  },
);

verifies(
  ['hub:access-token', 'token:every-route'],
  'where a token is needed every way in wants it, and sockets take it in the query',
  async () => {
    await using service = await start({ settings: { Token: 'a-secret-of-this-test' } });
    await expect(viaSocket(service)).rejects.toThrow('401');
    await expect(viaSocket(service, '?access_token=wrong')).rejects.toThrow('401');
    await expect(viaSignalr(service)).rejects.toThrow('401');
    expect((await rawEvents(service)).response.status).toBe(401);
    await using inQuery = await viaSocket(service, '?access_token=a-secret-of-this-test');
    await using inHeader = await viaSocket(service, '', { authorization: 'Bearer a-secret-of-this-test' });
    await using signalr = await viaSignalr(service, { token: 'a-secret-of-this-test' });
    await using bySignalrQuery = await viaSignalr(service, { query: '?access_token=a-secret-of-this-test' });
    await using stream = await rawEvents(service, '', { authorization: 'Bearer a-secret-of-this-test' });
    announceNumbered(service, 1, 1);
    for (const client of [inQuery, inHeader, signalr, bySignalrQuery, stream])
      await client.untilOne(({ type }) => type === 'agents_changed');
  },
);

/** A frame of a client, masked with zeros unless specified otherwise. */
function clientFrame(first: number, size: number, masked = true): Buffer {
  const head =
    size < 126
      ? [size]
      : size < 65_536
        ? [126, size >> 8, size & 255]
        : [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((by) => (size >> by) & 255)];
  head[0] = (head[0] ?? 0) | (masked ? 0x80 : 0);
  return Buffer.concat([Buffer.from([first, ...head, ...(masked ? [0, 0, 0, 0] : [])]), Buffer.alloc(size, 'x')]);
}

/** Sends frames after the upgrade and reads the code of the answering close frame; 0 if there is none. */
function closeCode({ url }: Started, frames: readonly Buffer[]): Promise<number> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(upgrade({})));
    socket.once('data', () => {
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const at = bytes.indexOf(0x88);
        if (at >= 0 && bytes.length >= at + 4) {
          resolve(bytes.readUInt16BE(at + 2));
          socket.destroy();
        }
      });
      for (const frame of frames) socket.write(frame);
    });
    socket.on('error', () => undefined).once('close', () => resolve(0));
  });
}

verifies(
  'hub:slow-reader-harms-nobody',
  'frames that no client has a reason to send are closed by their code',
  async () => {
    await using service = await start();
    await using other = await viaSocket(service);
    const [text, more, binary, ping] = [0x81, 0x00, 0x82, 0x89];
    const attacks: Record<string, [Buffer[], number]> = {
      'a frame of 1 MB': [[clientFrame(text, 1_000_000)], 1009],
      'a binary frame of 1 MB': [[clientFrame(binary, 1_000_000)], 1009],
      'a frame without mask': [[clientFrame(text, 5, false)], 1002],
      'fragments without end': [[clientFrame(0x01, 1), ...range(1, 100).map(() => clientFrame(more, 1))], 1008],
      'large fragments without end': [
        [clientFrame(0x01, 8_000), ...range(1, 9).map(() => clientFrame(more, 8_000))],
        1009,
      ],
      'a continuation of nothing': [[clientFrame(0x80, 1)], 1002],
      'a compressed frame': [[clientFrame(0xc1, 10)], 1002],
      'a fragmented ping': [[clientFrame(0x09, 1)], 1002],
      'a flood of pings': [range(1, 5_000).map(() => clientFrame(ping, 100)), 1008],
      'a flood of texts': [range(1, 5_000).map(() => clientFrame(text, 10)), 1008],
    };
    for (const [what, [frames, code]] of Object.entries(attacks)) {
      expect.soft(await closeCode(service, frames), what).toBe(code);
    }
    announceNumbered(service, 1, 3);
    expect(numbersIn(await other.until(3))).toEqual([1, 2, 3]);
  },
);

/** Both ends are in this process, which may open 20,000 files on most systems. */
const connects = rounds(4, 180);
/** Rounds of 50 connects: an address may have 2,000 connections open. */
const roundsPerAddress = 36;

verifies('hub:slow-reader-harms-nobody', `${connects * 50} connects as fast as they come disturb nobody`, async () => {
  await using service = await start();
  await using listener = await viaSocket(service);
  const began = performance.now();
  let pings = 0;
  const sockets: WebSocket[] = [];
  for (let round = 0; round < connects; round += 1) {
    const localAddress = `127.0.0.${1 + Math.floor(round / roundsPerAddress)}`;
    const url = `${service.url.replace('http', 'ws').replace('localhost', '127.0.0.1')}/api/messages`;
    const some = range(1, 50).map(() => new WebSocket(url, { localAddress }));
    await Promise.all(some.map((socket) => once(socket, 'open')));
    sockets.push(...some);
    announceNumbered(service, round + 1, round + 1);
    if ((await service.call('GET', '/api/health')).status === 200) pings += 1;
  }
  expect(pings).toBe(connects);
  expect(numbersIn(await listener.until(connects))).toEqual(range(1, connects));
  const perSecond = Math.round((connects * 50_000) / (performance.now() - began));
  recordFigure('A12', `${connects * 50} connects, ${perSecond} a second`);
  for (const socket of sockets) socket.terminate();
  await passTurns();
});
