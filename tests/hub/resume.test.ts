import { expect } from 'vitest';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { announceNumbered, numbersIn, range } from './announcing.ts';
import { type Listener, rawEvents, viaEvents, viaSignalr, viaSocket } from './clients.ts';

const types = (heard: Listener['heard']) => heard.map(({ type }) => type);
function cutLines({ running }: Started): void {
  for (const server of running.coordination.servers) server.closeAllConnections();
}

const resuming = {
  'Last-Event-ID': (id: string) => ['', { 'last-event-id': id }] as const,
  '?after=': (id: string) => [`?after=${id}`, {}] as const,
};

verifies(
  'hub:sse-resume',
  'an EventSource that is cut again and again loses nothing and hears nothing twice',
  async () => {
    await using service = await start();
    await using events = await viaEvents(service);
    announceNumbered(service, 1, 50);
    await events.until(50);
    for (const from of [51, 101]) {
      cutLines(service);
      announceNumbered(service, from, from + 49);
      await events.until(from + 49);
    }
    expect(numbersIn(events.heard)).toEqual(range(1, 150));
    expect(types(events.heard)).not.toContain('reset');
  },
);

verifies('hub:sse-resume', 'a stream cut before its first message resumes from its start', async () => {
  await using service = await start();
  await using events = await viaEvents(service);
  cutLines(service);
  announceNumbered(service, 1, 3);
  expect(numbersIn(await events.until(3))).toEqual([1, 2, 3]);
});

verifies(
  ['hub:sse-resume', 'hub:websocket-resume'],
  'from every id on, a stream or a WebSocket hears exactly what follows',
  async () => {
    await using service = await start();
    await using first = await viaSocket(service);
    announceNumbered(service, 1, 20);
    await first.until(20);
    for (const [index, { id }] of first.heard.slice(0, -1).entries()) {
      const [query, headers] = index % 2 ? resuming['?after='](id) : resuming['Last-Event-ID'](id);
      await using stream = await rawEvents(service, query, headers);
      await using socket = await viaSocket(service, `?after=${id}`);
      const rest = range(index + 2, 20);
      expect(numbersIn(await stream.until(rest.length))).toEqual(rest);
      expect(numbersIn(await socket.until(rest.length))).toEqual(rest);
    }
  },
);

verifies('hub:sse-resume', 'the header of a stream that comes back wins over the address it began with', async () => {
  await using service = await start();
  await using first = await viaSocket(service);
  announceNumbered(service, 1, 3);
  const [one, two] = await first.until(3);
  await using stream = await rawEvents(service, `?after=${one?.id}`, { 'last-event-id': two?.id ?? '' });
  expect(numbersIn(await stream.until(1))).toEqual([3]);
});

verifies(
  ['hub:gap-reset', 'hub:sse-resume'],
  'after a gap too old to resume exactly one reset comes, and its id resumes',
  async () => {
    await using service = await start();
    await using first = await viaSocket(service);
    announceNumbered(service, 1, 1);
    const [old] = await first.until(1);
    announceNumbered(service, 2, 20_002);
    for (const [query, headers] of Object.values(resuming).map((ask) => ask(old?.id ?? ''))) {
      await using stream = await rawEvents(service, query, headers);
      const [reset] = await stream.until(1);
      announceNumbered(service, 7, 7);
      expect(types(await stream.until(2))).toEqual(['reset', 'agents_changed']);
      await using again = await rawEvents(service, `?after=${reset?.id}`);
      expect(types(await again.until(1))).toEqual(['agents_changed']);
    }
    await using socket = await viaSocket(service, `?after=${old?.id}`);
    expect(types(await socket.until(1))).toEqual(['reset']);
  },
);

verifies('hub:unknown-id-reset', 'an id that was never given is announced by one reset', async () => {
  await using service = await start();
  await using first = await viaSocket(service);
  announceNumbered(service, 1, 1);
  const [known] = await first.until(1);
  const ahead = String(Number(known?.id) + 1);
  for (const id of [ahead, '0', '1', '-1', '1e3', 'abc', '9'.repeat(40), '%00', `${known?.id}x`]) {
    await using stream = await rawEvents(service, `?after=${id}`);
    await using socket = await viaSocket(service, `?after=${id}`);
    const [reset] = await stream.until(1);
    expect.soft(reset, id).toMatchObject({ type: 'reset', id: known?.id, data: {} });
    expect.soft(await socket.until(1), id).toMatchObject([{ type: 'reset' }]);
    expect.soft(reset, id).not.toHaveProperty('subject');
  }
});

verifies(
  'hub:unknown-id-reset',
  'after a restart exactly one reset comes, for every id of the life before',
  async () => {
    await using before = await start();
    await using first = await viaSocket(before);
    announceNumbered(before, 1, 100);
    const ids = (await first.until(100)).map(({ id }) => id);
    await before.stop();
    await using after = await start({ home: before.home, clock: before.clock });
    for (const id of [ids[0], ids[49], ids[99]]) {
      await using stream = await rawEvents(after, '', { 'last-event-id': id ?? '' });
      await stream.until(1);
      announceNumbered(after, 1, 1);
      const [reset, next] = await stream.until(2);
      expect([reset?.type, next?.type]).toEqual(['reset', 'agents_changed']);
      expect(Number(next?.id)).toBe(Number(reset?.id) + 1);
      expect(Number(next?.id)).toBeGreaterThan(Number(ids[99]));
    }
  },
);

verifies('hub:signalr-starts-with-reset', 'a SignalR client that comes back starts with one reset again', async () => {
  await using service = await start();
  for (let round = 1; round <= 2; round += 1) {
    await using signalr = await viaSignalr(service);
    announceNumbered(service, 1, 2);
    expect(types(await signalr.until(3))).toEqual(['reset', 'agents_changed', 'agents_changed']);
  }
});
