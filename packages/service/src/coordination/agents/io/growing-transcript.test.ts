import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SafeFile } from '../../../files/safe-file.ts';
import { claude } from '../tools/claude.ts';
import { type ReadProgress, readTranscript } from './transcript-files.ts';

/** A file in a given state; `read` counts the bytes read from it. */
function fileOf(text: string, counted = { bytes: 0 }, mtimeMs = 5): SafeFile {
  const all = Buffer.from(text);
  return {
    ino: 1,
    size: all.length,
    mtimeMs,
    async read(from, length) {
      counted.bytes += length;
      return all.subarray(from, from + length);
    },
  };
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();
const toolUse = {
  type: 'assistant',
  message: { stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'Bash' }] },
};
const line = (record: object) => `${JSON.stringify(record)}\n`;

const kinds = [
  toolUse,
  { type: 'assistant', message: { stop_reason: 'end_turn', content: [] } },
  {
    type: 'assistant',
    message: { id: 'msg_1', model: 'm', usage: { input_tokens: 3, output_tokens: 1 }, content: [] },
  },
  {
    type: 'assistant',
    message: { id: 'msg_1', model: 'm', usage: { input_tokens: 3, output_tokens: 9 }, content: [] },
  },
  { type: 'assistant', message: { id: 'msg_2', model: 'm', usage: { cache_read_input_tokens: 7 }, content: [] } },
  { type: 'user', promptSource: 'typed', message: { content: 'Go on.' } },
  { type: 'user', interruptedMessageId: 'm', message: { content: [] } },
  { type: 'system', subtype: 'turn_duration' },
  { type: 'assistant', isSidechain: true, message: { stop_reason: 'end_turn', content: [] } },
  { type: 'progress', noise: 'x'.repeat(20_000) },
  { type: 'summary' },
];
const record = fc.tuple(fc.constantFrom(...kinds), fc.nat(59), fc.constantFrom('/r', '/s', undefined), fc.boolean());
const lines = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: record.map(([kind, minute, cwd, timed]) =>
        line({ ...kind, cwd, ...(timed && { timestamp: at(minute) }) }),
      ),
    },
    { weight: 1, arbitrary: fc.constant('{"torn\n') },
  ),
  { minLength: 1, maxLength: 12 },
);

test('a transcript that is read as it grows reads as one that is read at once, wherever it was cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
      async (all, cuts) => {
        const text = all.join('');
        let grown: ReadProgress | undefined;
        for (const cut of [...cuts.toSorted(), 1]) {
          grown = await readTranscript(
            fileOf(text.slice(0, Math.round(text.length * cut))),
            claude.sessions.format,
            grown,
          );
        }
        const { reading } = await readTranscript(fileOf(text), claude.sessions.format);
        const { turn, cwd, lastAt } = reading;
        expect(grown?.reading).toMatchObject({ turn, cwd, lastAt });
      },
    ),
    { numRuns: 200 },
  );
});

test('only the appended part of a transcript is read, even if it contains no turn', async () => {
  const noise = line({ type: 'progress', timestamp: at(1), noise: 'x'.repeat(1_000) });
  const text = line({ ...toolUse, cwd: '/r', timestamp: at(0) }) + noise.repeat(1_000);
  const first = await readTranscript(fileOf(text), claude.sessions.format);
  const counted = { bytes: 0 };
  const next = await readTranscript(fileOf(text + noise, counted), claude.sessions.format, first);
  expect(next.reading.turn).toMatchObject({ state: 'open', detail: 'tool:Bash' });
  expect(counted.bytes).toBeLessThan(2_000);
});

test('a transcript that was replaced is read again', async () => {
  const before = await readTranscript(
    fileOf(line({ ...toolUse, cwd: '/r', timestamp: at(0) })),
    claude.sessions.format,
  );
  const anew = line({ type: 'user', interruptedMessageId: 'm', cwd: '/elsewhere', message: { content: [] } });
  const { reading } = await readTranscript(
    fileOf(`${anew}${line({ type: 'summary' })}`),
    claude.sessions.format,
    before,
  );
  expect(reading).toMatchObject({ turn: { detail: 'user_interrupt' }, cwd: '/elsewhere' });
});

test('times that are later than the file was written are those of the file; a clock that is a little ahead is believed', async () => {
  const written = Date.parse(at(10));
  const readAt = async (timestamp: string) =>
    (
      await readTranscript(
        fileOf(line({ ...toolUse, cwd: '/r', timestamp }), undefined, written),
        claude.sessions.format,
      )
    ).reading;
  expect(await readAt('2999-01-01T00:00:00.000Z')).toMatchObject({ firstAt: written, lastAt: written });
  expect(await readAt(at(16))).toMatchObject({ firstAt: written, lastAt: written });
  expect(await readAt(at(12))).toMatchObject({ firstAt: Date.parse(at(12)), lastAt: Date.parse(at(12)) });
});
