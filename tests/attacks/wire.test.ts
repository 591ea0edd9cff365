import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { sendBytes } from '../raw-http.ts';
import { isLong } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const post = 'POST /api/plans HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const smuggled = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Smuggled: yes\r\n\r\n';

const broken: Record<string, string> = {
  'two Hosts': 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  'an empty Host': 'GET /api/health HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n',
  'no Host': 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n',
  'a length and chunks': `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'chunks and a length': `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`,
  'two lengths': `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}`,
  'a list of lengths': `${post}Content-Length: 2, 2\r\n\r\n{}${smuggled}`,
  'a length with a sign': `${post}Content-Length: +2\r\n\r\n{}${smuggled}`,
  'a length in another base': `${post}Content-Length: 0x2\r\n\r\n{}`,
  'a negative length': `${post}Content-Length: -1\r\n\r\n{}`,
  'an unknown coding': `${post}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'chunked before another coding': `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
  'a space before the colon': `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  'a folded line': `GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n`,
  'lines that end in LF alone': 'GET /api/health HTTP/1.1\nHost: localhost\n\n',
  'a bad chunk size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a huge chunk size': `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
  'a NUL in a header': 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n',
  'a header of 64 KB': `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`,
  '2,000 headers': `GET / HTTP/1.1\r\nHost: localhost\r\n${'X-Some: thing\r\n'.repeat(2_000)}\r\n`,
  garbage: 'HELO signalbox\r\n\r\n',
};

verifies(
  ['errors:problem-json', 'errors:no-stack-trace'],
  'what is no HTTP is answered with a problem and cut off, so that nothing can be smuggled behind it',
  async () => {
    await using service = await start();
    for (const url of [service.url, service.consoleUrl]) {
      for (const [what, bytes] of Object.entries(broken)) {
        // Ingest reads its bodies with its own code, so it is attacked separately.
        const answer = await sendBytes(url, url === service.url ? bytes : bytes.replace('/api/plans', '/api/ingest'));
        expect.soft(answer, what).toMatch(/^HTTP\/1.1 4\d\d /);
        expect.soft(answer.match(/HTTP\/1\.1 \d{3}/g), `${what}: answered once, then cut`).toHaveLength(1);
        expect.soft(answer, what).not.toMatch(/\n {4}at /);
      }
    }
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    expect((await service.call('GET', '/api/plans')).body).toEqual([]);
    expect((await service.console('GET', '/api/runs')).body).toEqual([]);
  },
);

/** Sockets that send one byte and then nothing. */
async function drip({ url }: Started, many: number): Promise<{ lines: Socket[]; gone: Promise<string[]> }> {
  const { port } = new URL(url);
  const lines = await Promise.all(
    Array.from(
      { length: many },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1', () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  const gone = Promise.all(
    lines.map(
      (socket) =>
        new Promise<string>((resolve) => {
          let text = '';
          socket.setEncoding('utf8').on('data', (part) => (text += part));
          socket.on('error', () => undefined).on('close', () => resolve(text));
        }),
    ),
  );
  return { lines, gone };
}

test('every listener has a limit on how long a request may take to arrive, and an answer to be read', async () => {
  await using service = await start();
  for (const server of [...service.running.coordination.servers, ...service.running.console.servers]) {
    expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(60_000);
    expect(server.headersTimeout).toBeGreaterThan(0);
    // A waiting MCP call is silent for at most 110 s; 0 would mean no limit.
    expect(server.timeout).toBeGreaterThan(120_000);
  }
});

test('sockets that send a byte now and then delay nobody, and are closed', async () => {
  await using service = await start();
  const { lines, gone } = await drip(service, isLong ? 1_000 : 100);
  for (const socket of lines) socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const trickle = setInterval(() => {
    for (const socket of lines) if (socket.writable) socket.write('E');
  }, 5_000);
  const took: number[] = [];
  for (let ping = 0; ping < 50; ping += 1) {
    const asked = performance.now();
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    took.push(performance.now() - asked);
  }
  if (!isLong) for (const socket of lines) socket.destroy();
  const answers = await gone;
  clearInterval(trickle);
  // Waiting until they are cut takes as long as the listener's own limit.
  if (!isLong) return;
  // A client whose byte arrives while the connection is being closed gets a reset instead.
  expect(answers.filter((text) => text === '' || text.startsWith('HTTP/1.1 408')).length).toBe(lines.length);
  const p99 = took.sort((a, b) => a - b).at(-1) ?? 0;
  process.stdout.write(`A11: ${lines.length} slow sockets cut, slowest of ${took.length} pings ${p99.toFixed(1)} ms\n`);
});
