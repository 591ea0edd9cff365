import { EventEmitter } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SenderQuota } from '../../packages/service/src/edge/sender-quota.ts';
import { startedProcess } from '../spawn.ts';
import { caller, start } from '../start.ts';

const runStarted = (runId: string) => ({ type: 'run_started', runId });
const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, number) => `${prefix}${number}`);

test('a batch begins 200 runs; the events of more are rejected with what to do, and their siblings kept', async () => {
  await using service = await start();
  const { status, body } = await service.console('POST', '/api/ingest', { events: ids('r', 205).map(runStarted) });
  expect([status, body.accepted, body.rejected.length]).toEqual([202, 200, 5]);
  expect(body.rejected[0]).toEqual({
    index: 200,
    message: 'a batch may start at most 200 runs; send the events of the others in another batch',
  });
  const again = await service.console('POST', '/api/ingest', { events: ids('r', 205).map(runStarted) });
  expect([again.body.accepted, again.body.rejected.length]).toEqual([205, 0]);
});

test('a sender begins 1,000 runs a minute; runs that have begun go on, and the next minute takes more', async () => {
  await using service = await start();
  for (let batch = 0; batch < 5; batch += 1)
    await service.console('POST', '/api/ingest', { events: ids(`b${batch}-`, 200).map(runStarted) });
  service.clock.advance(15_000);
  const more = await service.console('POST', '/api/ingest', { events: [runStarted('late'), runStarted('b0-7')] });
  expect(more.body).toEqual({
    accepted: 1,
    ignored: 0,
    rejected: [{ index: 0, message: 'one sender may start at most 1000 runs a minute; try again in 45 s' }],
  });
  service.clock.advance(45_000);
  expect((await service.console('POST', '/api/ingest', { events: [runStarted('late')] })).body.accepted).toBe(1);
});

test('the board holds so many runs: the oldest ended are ejected, live ones never', async () => {
  await using service = await start({ settings: { MaxRuns: '5', RetentionRuns: '0' } });
  const send = (events: readonly object[]) => service.console('POST', '/api/ingest', { events });
  const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  await send(ids('live', 3).map((runId) => ({ ...runStarted(runId), startedAt: at(0) })));
  for (let number = 0; number < 4; number += 1) {
    const runId = `done${number}`;
    await send([
      { ...runStarted(runId), startedAt: at(number + 1) },
      { type: 'run_finished', runId, exitCode: 0 },
    ]);
  }
  await expect
    .poll(async () => (await service.console('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId))
    .toEqual(['done3', 'done2', 'live0', 'live1', 'live2']);
  await send(ids('more', 3).map(runStarted));
  const { body } = await send([runStarted('beyond')]);
  expect(body.rejected[0]?.message).toBe('5 runs are live (Service:MaxRuns); try again when some have ended');
});

test('a run has so many megabytes, and a publisher so many an hour, whatever its events are; ends of runs are always taken', async () => {
  await using service = await start({ settings: { RunMb: '1', PublisherMbPerHour: '2' } });
  const send = async (events: readonly object[]) => (await service.console('POST', '/api/ingest', { events })).body;
  const unknown = (runId: string) => ({ type: 'nobody_knows', runId, text: 'x'.repeat(400_000) });
  const full = await send([runStarted('a'), unknown('a'), unknown('a'), unknown('a')]);
  expect([full.accepted, full.ignored, full.rejected]).toEqual([
    1,
    2,
    [
      {
        index: 3,
        message: 'run a has reached the limit of 1 MB (Service:RunMb); publish the rest under a new run id',
      },
    ],
  ]);
  expect((await send([unknown('a')])).rejected).toHaveLength(1);
  expect((await send([{ type: 'run_finished', runId: 'a', exitCode: 0 }])).accepted).toBe(1);
  expect((await send([runStarted('b'), unknown('b'), unknown('b')])).ignored).toBe(2);
  const [{ message } = { message: '' }] = (await send([runStarted('c'), unknown('c'), unknown('c')])).rejected;
  expect(message).toBe('one publisher may send at most 2 MB an hour (Service:PublisherMbPerHour); try again in 60 min');
  service.clock.advance(3_600_000);
  expect((await send([unknown('c')])).ignored).toBe(1);
});

const mebibyte = 1024 * 1024;

test('an address has a limit of concurrent requests and bytes; more is a 429 with Retry-After', () => {
  const quota = new SenderQuota({ requests: 3, lines: 3, bytes: 1_000_000, unreadBytes: mebibyte });
  const sender = (remoteAddress: string, length = 0) => {
    const socket = { remoteAddress, bytesRead: 0 };
    const ends: Array<() => void> = [];
    const request = { socket, headers: { 'content-length': String(length) } } as never;
    const line = { once: (_: string, end: () => void) => void ends.push(end), writableLength: 0 } as never;
    const refusal = quota.enter(request, line, { name: null, address: remoteAddress });
    return { socket, refusal, end: () => ends.forEach((end) => void end()) };
  };
  const large = sender('a', 2_000_000);
  expect(large.refusal).toBeUndefined();
  expect(sender('a', 100_000).refusal).toBeUndefined();
  large.socket.bytesRead = 1_500_000;
  expect(sender('a', 100_000).refusal).toMatchObject({ code: 'too_many_requests', extra: { retryAfterSeconds: 1 } });
  expect(sender('a', 100).refusal).toBeUndefined();
  expect(sender('a').refusal?.detail).toBe(
    '3 requests and waits from your address are in progress. Try again in 1 s, with fewer requests at a time.',
  );
  expect(sender('b').refusal).toBeUndefined();
  large.end();
  expect(sender('a', 100_000).refusal).toBeUndefined();
});

/** Requests that wait for their answers, each on its own connection. */
async function hold(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const head = `GET /api/messages HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/event-stream\r\n\r\n`;
  const opened = ids('', count).map(async () => {
    const socket = connect({ host: hostname, port: Number(port), family: 4 });
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('data', resolve).once('error', resolve).write(head));
  });
  await Promise.all(opened);
}

test('a client that asks and does not read gets a 429 once 64 MiB wait for it, and its neighbours are answered', () => {
  const quota = new SenderQuota();
  const request = { socket: { bytesRead: 0 }, headers: {} } as never;
  const lines = ids('', 16).map(() => Object.assign(new EventEmitter(), { writableLength: 0 }));
  const enter = (name: string, line = Object.assign(new EventEmitter(), { writableLength: 0 })) =>
    quota.enter(request, line as never, { name, address: 'a' })?.detail;
  for (const line of lines) {
    expect(enter('ada', line)).toBeUndefined();
    line.writableLength = 4 * mebibyte;
  }
  expect(enter('ada')).toMatch(/^64 MiB of answers to your token wait to be read\. Try again in 1 s/);
  expect(enter('bob')).toBeUndefined();
  lines[0]?.emit('close');
  expect(enter('ada')).toBeUndefined();
});

test('a token uses up its own quota and not that of its address, and streams do not use up requests', () => {
  const quota = new SenderQuota({ requests: 2, lines: 2, bytes: 1_000_000, unreadBytes: mebibyte });
  const request = { socket: { bytesRead: 0 }, headers: {} } as never;
  const line = { once: () => undefined, writableLength: 0 } as never;
  const enter = (name: string | null, kind: 'requests' | 'lines') =>
    quota.enter(request, line, { name, address: 'a' }, kind)?.detail;
  expect([enter('ada', 'lines'), enter('ada', 'lines'), enter('ada', 'requests')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(enter('ada', 'lines')).toMatch(/^2 streams and sockets from your token are in progress/);
  expect([enter('bob', 'lines'), enter(null, 'lines'), enter('ada', 'requests')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(quota.enterCall({ name: 'ada', address: 'b' })).toMatchObject({ code: 'too_many_requests' });
  expect(quota.enterCall({ name: 'bob', address: 'a' })).toBeTypeOf('function');
});

test('an address that holds 2,000 streams open gets a 429 for more of them, and its calls are answered, in a heap of 256 MB', async () => {
  await using service = await startedProcess({ NODE_OPTIONS: '--max-old-space-size=256' });
  const url = service.url.replace('localhost', '127.0.0.1');
  for (let round = 0; round < 20; round += 1) await hold(url, 100);
  const refused = await caller(url)('GET', '/api/messages');
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_requests',
    '1',
  ]);
  expect((await caller(url)('GET', '/api/plans')).status).toBe(200);
  expect((await caller(url)('GET', '/api/ping')).status).toBe(200);
});
