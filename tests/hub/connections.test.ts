import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { createSettableClock, type SettableClock } from '../../testing/settable-clock.ts';
import { startedProcess } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { announceNumbered, numbersIn, passTurns } from './announcing.ts';
import { rawEvents, viaEvents, viaSignalr, viaSocket } from './clients.ts';

/** A clock whose keep-alives are triggered by the test. */
function beatingClock(): SettableClock & { beat(): Promise<void> } {
  const works = new Set<() => void | Promise<void>>();
  return {
    ...createSettableClock(),
    every(ms, work) {
      if (ms === 15_000) works.add(work);
      return () => works.delete(work);
    },
    async beat() {
      for (const work of works) await work();
    },
  };
}

function opened({ url }: Started, query = '', options = {}): Promise<WebSocket & { frames: string[] }> {
  const frames: string[] = [];
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/messages${query}`, options);
  socket.on('message', (frame) => frames.push(String(frame)));
  return new Promise((resolve, reject) =>
    socket.once('open', () => resolve(Object.assign(socket, { frames }))).once('error', reject),
  );
}

const closing = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));
const handshake = '{"protocol":"json","version":1}\u001e';

test('a keep-alive has the format of its connection, and on a stream also its position', async () => {
  const clock = beatingClock();
  await using service = await start({ clock });
  await using stream = await rawEvents(service);
  const socket = await opened(service);
  const signalr = await opened(service, '?id=1');
  signalr.send(handshake);
  announceNumbered(service, 1, 1);
  const [{ id } = { id: '' }] = await stream.until(1);
  const pinged = Promise.all([socket, signalr].map((one) => new Promise((resolve) => one.once('ping', resolve))));
  await clock.beat();
  await pinged;
  while (!stream.text().endsWith(`\n\nevent: bookmark\nid: ${id}\ndata:\n\n`)) await passTurns(1);
  expect(signalr.frames.at(-1)).toBe('{"type":6}\u001e');
  expect(socket.frames).toHaveLength(1);
  for (const one of [socket, signalr]) one.terminate();
});

test('a client that does not answer keep-alives, or never completes the handshake, is disconnected; one that answers stays', async () => {
  const clock = beatingClock();
  await using service = await start({ clock });
  const mute = await opened(service, '', { autoPong: false });
  const rude = await opened(service, '?id=1');
  const polite = await opened(service);
  const cut = Promise.all([closing(mute), closing(rude)]);
  for (let beats = 1; beats <= 4; beats += 1) {
    const pinged = new Promise((resolve) => polite.once('ping', resolve));
    await clock.beat();
    await pinged;
    await passTurns(50);
  }
  expect(await cut).toEqual([1006, 1006]);
  expect(polite.readyState).toBe(WebSocket.OPEN);
  polite.terminate();
});

verifies(
  'hub:signalr',
  'the stock client may skip the negotiation, and a broken handshake gets the reason',
  async () => {
    await using service = await start();
    await using signalr = await viaSignalr(service, { skipNegotiation: true });
    announceNumbered(service, 1, 2);
    const told = await signalr.until(3);
    expect(told[0]?.type).toBe('reset');
    expect(numbersIn(told)).toEqual([1, 2]);
    await expect(signalr.connection.invoke('Send', 'x')).rejects.toThrow('only sends');

    const other = await opened(service, '?id=1');
    const code = closing(other);
    other.send('{"protocol":"messagepack","version":1}\u001e');
    expect(await code).toBe(1002);
    expect(other.frames).toEqual(['{"error":"This hub supports only the json protocol."}\u001e']);

    const nonsense = await opened(service, '?id=1');
    const nonsenseCode = closing(nonsense);
    nonsense.send('hello');
    expect(await nonsenseCode).toBe(1002);
  },
);

verifies('hub:signalr', 'the negotiation takes the empty text that clients post, and no body', async () => {
  await using service = await start();
  const post = (body: string) =>
    service.call('POST', '/api/messages/negotiate?negotiateVersion=1', body, {
      'content-type': 'text/plain;charset=UTF-8',
    });
  expect(await post('')).toMatchObject({
    status: 200,
    body: { negotiateVersion: 1, connectionId: expect.any(String), connectionToken: expect.any(String) },
  });
  expect((await post('{"plan":"x"}')).status).toBe(415);
  expect((await post('x'.repeat(5_000))).status).toBe(413);
});

verifies(
  'stop:sigterm',
  'when the service stops, every connection is closed immediately after its last message',
  async () => {
    await using service = await start();
    await using stream = await rawEvents(service);
    await using socket = await viaSocket(service);
    await using signalr = await viaSignalr(service);
    await signalr.until(1);
    const mute = await opened(service);
    mute.pause();
    announceNumbered(service, 1, 1);
    await service.stop();
    expect(await socket.closed).toBe(1001);
    await Promise.all([stream.closed, signalr.closed]);
    for (const client of [stream, socket, signalr]) expect(numbersIn(client.heard)).toEqual([1]);
    mute.terminate();
  },
);

verifies('stop:sigterm', 'SIGTERM with lines of every kind open exits 0', async () => {
  await using service = await startedProcess();
  await using events = await viaEvents(service);
  await using socket = await viaSocket(service);
  await using signalr = await viaSignalr(service);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  await Promise.all([events.closed, socket.closed, signalr.closed]);
});
