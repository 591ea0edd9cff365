import type { Slice } from '../ports.ts';

const lf = 0x0a;
const cr = 0x0d;

/**
 * The bytes of events as lines of an archive. Events that stand side by side in the batch stay where they are: the
 * comma or bracket behind each becomes its line end, so that nothing is copied. The batch is used up by this.
 */
export function linesOf(slices: readonly Slice[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let run: Uint8Array | undefined;
  for (const { bytes } of slices) {
    const line = bytes.includes(lf) ? onOneLine(bytes) : ended(bytes);
    if (run && line.buffer === run.buffer && line.byteOffset === run.byteOffset + run.byteLength) {
      run = Buffer.from(run.buffer as ArrayBuffer, run.byteOffset, run.byteLength + line.byteLength);
      pieces[pieces.length - 1] = run;
    } else {
      run = line;
      pieces.push(line);
    }
  }
  return pieces;
}

/** An event in a batch is always followed by a byte that is no part of any event. */
function ended(bytes: Uint8Array): Uint8Array {
  const line = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength + 1);
  line[bytes.byteLength] = lf;
  return line;
}

/** A line break can only stand between tokens; inside a text it is written as an escape. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const line = Buffer.alloc(bytes.byteLength + 1);
  let length = 0;
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] as number;
    if (byte === cr && bytes[at + 1] === lf) continue;
    line[length] = byte === lf ? 0x20 : byte;
    length += 1;
  }
  line[length] = lf;
  return line.subarray(0, length + 1);
}
