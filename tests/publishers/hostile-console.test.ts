import { cpSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildOneFile } from './one-file.ts';
import { createProject } from './project.ts';

const oneFile = join(import.meta.dirname, '../../packages/publisher/dist-file/publisher.mjs');
const suite = `
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
for (let at = 0; at < 20; at++) test('test ' + at, () => pause(5));
test('fails', () => { throw new Error('as it should'); });
`;

const pong = (response: ServerResponse) => response.end('{"tool":"signalbox"}');
const forever = (response: ServerResponse, piece: string) => {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
};

type Answer = (response: ServerResponse, path: string) => void;
/** The console's answers to everything after it has identified itself as a console. */
const answers: [what: string, answer: Answer][] = [
  ['without end', (response) => forever(response, 'x'.repeat(65_536))],
  ['one byte at a time', (response) => void setInterval(() => response.write('x'), 50).unref()],
  ['never', () => undefined],
  ['with a redirect to itself', (response, path) => response.writeHead(307, { location: path }).end()],
  ['with a redirect to a device', (response) => response.writeHead(301, { location: 'file:///dev/zero' }).end()],
  ['with nesting', (response) => response.end('['.repeat(5_000_000))],
  ['with what is not JSON', (response) => response.end('\u0000\u001b[2J{')],
  ['with other types', (response) => response.end('{"scenarios":{"length":1e9},"accepted":[],"events":-1}')],
  [
    'with half of it',
    (response) => response.writeHead(200, { 'content-length': 1_000 }).write('{') && response.destroy(),
  ],
  [
    'with many headers',
    (response) =>
      response.writeHead(200, Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`x-${at}`, 'y']))).end(),
  ],
  ['with 429 for ever', (response) => response.writeHead(429, { 'retry-after': '99999999' }).end()],
  ['with 103', (response) => response.writeEarlyHints({ link: '</x>; rel=preload' })],
];

async function runAgainst(url: string) {
  buildOneFile();
  await using project = await createProject({ 'a.test.mjs': suite }, []);
  cpSync(oneFile, join(project.folder, 'publisher.mjs'));
  const reporters = ['spec:stdout', './publisher.mjs:stderr'].flatMap((one) => {
    const [reporter, destination] = one.split(':');
    return [`--test-reporter=${reporter}`, `--test-reporter-destination=${destination}`];
  });
  // What never answers is waited for this long.
  const env = { SIGNALBOX_URL: url, SIGNALBOX_PROBE_MS: '10000' };
  return await project.run(['--test', ...reporters, 'a.test.mjs'], env);
}

const asTheSuite = { code: 1, stdout: expect.stringMatching(/pass 20[\s\S]*fail 1\b/) };

test.each(answers)('a console that answers %s changes nothing about the suite', async (_, answer) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    asked.push(String(request.url));
    request.resume();
    if (request.url === '/api/ping') pong(response);
    else answer(response, String(request.url));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  expect(await runAgainst(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject(asTheSuite);
  expect(asked).toContain('/api/ingest');
});

test.each([
  ['with bytes that are not HTTP', (socket: Socket) => socket.write('\u0000\u0001\u0002 hello\r\n\r\n'.repeat(1_000))],
  ['with a line without end', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nx: '.padEnd(10_000_000, 'x'))],
  ['with nothing', (socket: Socket) => socket.resume()],
  ['with a reset', (socket: Socket) => socket.resetAndDestroy()],
])('a port that answers %s changes nothing about the suite', async (_, answer) => {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    answer(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  expect(await runAgainst(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject(asTheSuite);
});
