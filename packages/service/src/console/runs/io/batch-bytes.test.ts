import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeBudget } from '../../../event-loop/cooperative.ts';
import { joinLines, splitBatch } from './batch-bytes.ts';

const split = (text: string | Uint8Array) => splitBatch(Buffer.from(text), createTimeBudget());

async function linesFrom(text: string | Uint8Array): Promise<string> {
  const batch = await split(text);
  if (batch.kind !== 'events') throw new Error(batch.kind);
  return Buffer.concat(await joinLines(batch.bytes, batch.slices, createTimeBudget())).toString();
}

test('events of a compact batch become lines in one piece, byte for byte', async () => {
  const batch = await split('{"events":[{"type":"a","n":1.0,"s":"},{\\"type\\""},{"type":"b","é":"€"}]}');
  if (batch.kind !== 'events') throw new Error(batch.kind);
  const pieces = await joinLines(batch.bytes, batch.slices, createTimeBudget());
  expect(pieces).toHaveLength(1);
  expect(Buffer.from(pieces[0]!).toString()).toBe('{"type":"a","n":1.0,"s":"},{\\"type\\""}\n{"type":"b","é":"€"}\n');
});

test('each line break between tokens becomes one space', async () => {
  const text = '{\r\n  "events": [\n {\n"type": "a",\r\n\t"s": "x\\ny"},\n{"type":"b"}\n]\n}\n';
  expect(await linesFrom(text)).toBe('{ "type": "a", \t"s": "x\\ny"}\n{"type":"b"}\n');
});

test('a byte order mark and bytes that are not UTF-8 do no harm', async () => {
  const odd = Buffer.concat([Buffer.from('\ufeff[{"type":"a","s":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}]')]);
  const batch = await split(odd);
  if (batch.kind !== 'events') throw new Error(batch.kind);
  expect(
    Buffer.concat(await joinLines(batch.bytes, batch.slices, createTimeBudget()))
      .subarray(-5)
      .toString('latin1'),
  ).toBe('ÿÃ"}\n');
});

test.each([
  ['{}', 0],
  [' [ ] ', 0],
  ['{"events":[]}', 0],
  ['{"events":null}', 0],
  ['{"source":[1,{"events":[7]}],"events":[{"type":"a"},{"b":[{},{}]}],"more":1}', 2],
  ['{"events":[1,2],"events":[{"type":"a"}]}', 1],
  ['[{"type":"a"}, {"type":"b"}, {"type":"c"}]', 3],
  ['[{"type":"a"},{"type":"b"}, {"kind":"c"}]', 3],
  ['[1,"two",[3],{"four":4},null]', 5],
  ['[{"type":"a","l":[{"type":"x"},{"type":"y"},{"type":"z"}]},{"type":"b"}]', 2],
])('%s is a batch of %i', async (text, count) => {
  expect(await split(text)).toMatchObject({ kind: 'events', slices: { length: count } });
});

test.each(['7', '"text"', 'null', '{"event":[]}', '{"events":7}', '{"type":"run_started","runId":"a"}'])(
  '%s is JSON and no batch',
  async (text) => expect(await split(text)).toEqual({ kind: 'noBatch' }),
);

test.each([
  '',
  '{',
  'events',
  '{"events":[{"type":"a"},{"type":"b"]}',
  '{"events":[{"type":"a"}{"type":"b"}]}',
  '{"events":[{"type":"a"},]}',
  '{"events":[{"type":"a"}]',
  '{"events":[{"type":"a"}]}}',
  '{"events":[{"type":"a"}],}',
  '[{"type":"a"} x]',
])('%s is not JSON', async (text) => expect(await split(text)).toEqual({ kind: 'noJson' }));

const filled = (one: string, count: number) => Array.from({ length: count }, () => one).join(',');

test.each([
  ['an event of many brackets', `[{"type":"a","extra":[${filled('{}', 50_000)}]}]`],
  ['an event of many numbers', `{"events":[{"type":"a","extra":[${filled('0', 70_000)}]}]}`],
  ['an event of many short texts', `[{"type":"a","extra":[${filled('""', 50_000)}]}]`],
  ['an element that is all brackets', `[[${filled('[]', 50_000)}]]`],
  ['much beside the events', `{"events":[],"more":[${filled('{}', 50_000)}]}`],
  ['many members beside the events', `{${filled('"a":0', 40_000)},"events":[]}`],
  ['events that are not a list', `{"events":{"a":[${filled('{}', 50_000)}]}}`],
  ['more events than a batch may have', `[${filled('{"type":"a"}', 100_001)}]`],
  ['more values than a batch may have events', `[${filled('0', 100_001)}]`],
  ['an event of 6 MiB', `[{"type":"a","text":"${'x'.repeat(6 * 1024 * 1024)}"}]`],
])('%s is not read', async (_, text) => {
  expect(await split(text)).toMatchObject({ kind: 'tooLarge' });
});

test.each([
  ['a long text', `[{"type":"a","text":"${'x'.repeat(3_000_000)}"}]`],
  [
    'a long text full of what looks like events',
    `[{"type":"a","text":"${'},{\\"type\\":'.repeat(100_000)}"},{"type":"b"}]`,
  ],
  ['a long text of escapes', `[{"type":"a","text":"${'\\\\\\"'.repeat(500_000)}"}]`],
  ['many long lists of many events', `[${filled(`{"type":"a","extra":[${filled('0', 50_000)}]}`, 20)}]`],
  ['100,000 events', `[${filled('{"type":"a"}', 100_000)}]`],
])('%s is', async (_, text) => {
  expect(await split(text)).toMatchObject({ kind: 'events', slices: { length: JSON.parse(text).length } });
});

test('every event comes back with its own bytes, in whatever form the batch is written', async () => {
  const written = fc.record({
    events: fc.array(fc.oneof(fc.dictionary(fc.constantFrom('type', 'a', 'b'), fc.jsonValue()), fc.jsonValue())),
    space: fc.constantFrom(undefined, 1, '\t'),
    wrapped: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(written, async ({ events, space, wrapped }) => {
      const text = JSON.stringify(wrapped ? { events } : events, null, space);
      const lines = (await linesFrom(text)).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(events)));
    }),
  );
});
