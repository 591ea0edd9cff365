import type { EventSlice, TimeBudget } from '../ports.ts';

const lf = 0x0a;
const cr = 0x0d;

/**
 * The bytes of events as lines of an archive. Events that stand side by side in the batch stay where they are: the
 * comma or bracket behind each becomes its line end, so that nothing is copied. The batch is used up by this.
 */
export async function joinLines(
  batch: Uint8Array,
  slices: readonly EventSlice[],
  timeBudget: TimeBudget,
): Promise<Uint8Array[]> {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
  if (!bytes.includes(lf)) return joinInPlace(bytes, slices);
  const lines: Uint8Array[] = [];
  for (const { from, to } of slices) {
    lines.push(onOneLine(bytes.subarray(from, to)));
    if (timeBudget.isSpent(1 + ((to - from) >> 10))) await timeBudget.pause();
  }
  return lines;
}

function joinInPlace(bytes: Buffer, slices: readonly EventSlice[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = -1;
  let end = -1;
  for (const { from, to } of slices) {
    if (from !== end) {
      if (start >= 0) pieces.push(bytes.subarray(start, end));
      start = from;
    }
    // An event in a batch is always followed by a byte that belongs to no event.
    bytes[to] = lf;
    end = to + 1;
  }
  if (start >= 0) pieces.push(bytes.subarray(start, end));
  return pieces;
}

/** A line break can only stand between tokens; inside a text it is written as an escape. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const line = Buffer.alloc(bytes.byteLength + 1);
  let length = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === cr && bytes[at + 1] === lf) continue;
    line[length] = byte === lf ? 0x20 : byte;
    length += 1;
  }
  line[length] = lf;
  return line.subarray(0, length + 1);
}
