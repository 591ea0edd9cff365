import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, readJson } from './json-body.ts';

const bytes = (text: string) => Buffer.from(text);
const tooLarge = { code: 'body_too_large' };

test('any JSON is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, space) => {
      const text = JSON.stringify(value, null, space);
      expect(readJson(bytes(text))).toEqual({ value: JSON.parse(text) });
    }),
  );
});

test.each([
  ['brackets in a text', JSON.stringify('[{'.repeat(100))],
  ['quotes and backslashes in texts', JSON.stringify(['\\', '\\"', '"', '\\\\"[', '"'.repeat(1_000)])],
  ['64 levels', '['.repeat(64) + ']'.repeat(64)],
  ['10,000 members', `{${Array.from({ length: 10_000 }, (_, at) => `"k${at}":0`).join()}}`],
  ['200,000 values', `[${Array(200_000).fill(0).join()}]`],
])('%s are read', (_, text) => {
  expect(readJson(bytes(text))).toEqual({ value: JSON.parse(text) });
});

test.each([
  ['65 levels', '['.repeat(65) + ']'.repeat(65)],
  ['65 levels behind a text with escapes', `["\\\\\\"",${'['.repeat(64) + ']'.repeat(64)}]`],
  ['10,001 members', `{${Array.from({ length: 10_001 }, (_, at) => `"k${at}":0`).join()}}`],
  ['200,001 values', `[${Array(200_001).fill(0).join()}]`],
])('%s are refused', (_, text) => {
  expect(readJson(bytes(text))).toMatchObject(tooLarge);
});

test('a long body is read slice by slice, wherever a slice ends', async () => {
  const most = 256 * 1024;
  for (const text of ['x'.repeat(most - 2), '\\'.repeat(most / 2), '"'.repeat(most), `${'x'.repeat(most - 3)}\\\\`]) {
    const json = JSON.stringify([text, text, []]);
    expect(await parseJson(bytes(json))).toEqual({ value: [text, text, []] });
    const deep = `[${JSON.stringify(text)},${'['.repeat(64)}${']'.repeat(64)}]`;
    expect(await parseJson(bytes(deep))).toMatchObject(tooLarge);
  }
});

test('a command may take more values than others', async () => {
  const body = bytes(`[${Array(300_000).fill(0).join()}]`);
  expect(await parseJson(body)).toMatchObject(tooLarge);
  expect(await parseJson(body, 500_000)).toHaveProperty('value.length', 300_000);
});

test('a long body is decoded piece by piece, and no character is cut where two pieces meet', async () => {
  for (const character of ['x', 'é', '€', '😀', '\uFEFF'])
    for (let before = 0; before < 4; before += 1) {
      const text = 'x'.repeat(before) + character.repeat(100_000);
      expect(await parseJson(bytes(JSON.stringify(text)))).toEqual({ value: text });
    }
});

test('a long body that is not UTF-8 is refused, wherever it stops being so', async () => {
  const notUtf8 = { code: 'invalid_request', detail: expect.stringContaining('it is not UTF-8') };
  for (const at of [10, 65_533, 65_535, 65_536, 131_071, 199_990])
    for (const wrong of [[0x80], [0x80, 0x80, 0x80, 0x80, 0x80], [0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98]]) {
      const body = Buffer.from(`"${'x'.repeat(200_000)}"`);
      body.set(wrong, at);
      expect(await parseJson(body)).toMatchObject(notUtf8);
    }
});
