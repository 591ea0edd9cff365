import { expect, test } from 'vitest';
import * as ws from 'ws';
import { frame, frameOf, messageOf, recordEnd } from './message.ts';

/** The package's receiver, which is missing in its types. */
const { Receiver } = ws as unknown as {
  Receiver: new (options: object) => NodeJS.EventEmitter & { write(bytes: Buffer): void };
};

const read = (bytes: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const receiver = new Receiver({ isServer: false });
    receiver.on('message', (text: Buffer) => resolve(text)).on('error', reject);
    receiver.write(bytes);
  });

test('a frame is read back as what went in, whichever way its length is written', async () => {
  for (const size of [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]) {
    const payload = Buffer.alloc(size, 'x');
    expect((await read(frame(1, payload))).equals(payload), String(size)).toBe(true);
  }
});

const sender = { source: '/signalbox/box', now: () => 0 };
const tricky = { sessions: ['two\nlines, \u2028, "quotes", \u001e and ünïcödé'], trees: [] };
const message = messageOf(7, { type: 'agents_changed', data: tricky }, sender);

test('every protocol carries the same object', async () => {
  const told = JSON.parse(message.json.toString());
  expect(told).toMatchObject({ id: '7', data: tricky });

  const event = frameOf(message, 'events').toString().split('\n');
  expect(event).toEqual(['id: 7', `data: ${message.json}`, '', '']);

  expect(JSON.parse(String(await read(frameOf(message, 'socket'))))).toEqual(told);

  const record = String(await read(frameOf(message, 'signalr')));
  expect(record.indexOf(recordEnd)).toBe(record.length - 1);
  const { type, target, arguments: given } = JSON.parse(record.slice(0, -1));
  expect([type, target, JSON.parse(given[0])]).toEqual([1, 'ReceiveMessage', told]);
});

test('a frame is built once for everyone', () => {
  for (const speech of ['events', 'socket', 'signalr'] as const)
    expect(frameOf(message, speech)).toBe(frameOf(message, speech));
});
