import { expect, test } from 'vitest';
import { answerHandshake, answerRecord, negotiation, recordsIn } from './signalr.ts';

const end = '\u001e';

test('a frame is one or more complete records, or invalid', () => {
  expect(recordsIn(`{"type":6}${end}{"type":7}${end}`)).toEqual([{ type: 6 }, { type: 7 }]);
  for (const broken of ['', '{}', `{${end}`, `[]${end}`, `1${end}`, `null${end}`, end, `{}${end}{}`])
    expect(recordsIn(broken), broken).toBeUndefined();
});

test('the handshake accepts version 1 of json and refuses others with the reason', () => {
  expect(answerHandshake({ protocol: 'json', version: 1 })).toEqual({});
  for (const other of [{ protocol: 'messagepack', version: 1 }, { protocol: 'json', version: 2 }, { type: 6 }, {}])
    expect(answerHandshake(other).error).toMatch(/\.$/);
});

test('a method call gets an error; pings need no answer', () => {
  const call = { type: 1, target: 'Send', arguments: [], invocationId: '7' };
  expect(answerRecord(call)).toMatchObject({
    type: 3,
    invocationId: '7',
    error: expect.stringContaining('only sends'),
  });
  expect(answerRecord({ type: 1, target: 'Send', arguments: [] })).toBeUndefined();
  expect(answerRecord({ type: 6 })).toBeUndefined();
  expect(answerRecord({ type: 7 })).toBe('close');
});

test('both generations of negotiation get WebSockets with text', () => {
  const transports = [{ transport: 'WebSockets', transferFormats: ['Text'] }];
  expect(negotiation('1', 'a', 'b')).toEqual({
    negotiateVersion: 1,
    connectionId: 'a',
    connectionToken: 'b',
    availableTransports: transports,
  });
  expect(negotiation(null, 'a', 'b')).toEqual({
    negotiateVersion: 0,
    connectionId: 'a',
    availableTransports: transports,
  });
});
