import { crc32 } from 'node:zlib';

/** Bytes as they were appended to the archive of a run, and where in it they stand. */
export type ArchiveAppend = { runId: string; offset: number; bytes: number; pieces: readonly Uint8Array[] };
export type JournalRecord = { runId: string; offset: number; bytes: Uint8Array };

/**
 * One line of framing, then the bytes themselves. The checksum covers both and the number of the part they stand in: in
 * a file that was a part before, what is left of that one is no record.
 */
export function recordOf(part: number, { runId, offset, bytes, pieces }: ArchiveAppend): Uint8Array[] {
  const frame = `${runId} ${offset} ${bytes}`;
  return [Buffer.from(`${frame} ${hex(checksum(part, frame, pieces))}\n`, 'latin1'), ...pieces];
}

const framing = /^([a-z0-9._-]{1,100}) (\d{1,15}) (\d{1,10}) ([0-9a-f]{8})$/;
const framingAtMost = 140;

/** Whole records from the front. What a crash cut off, and all behind it, was never answered. */
export function* recordsIn(part: number, file: Buffer): Iterable<JournalRecord> {
  for (let at = 0; at < file.length; ) {
    const end = file.subarray(at, at + framingAtMost).indexOf(0x0a);
    const match = end < 0 ? null : framing.exec(file.toString('latin1', at, at + end));
    if (!match) return;
    const [, runId = '', offset = '', length = '', sum = ''] = match;
    const from = at + end + 1;
    const bytes = file.subarray(from, from + Number(length));
    if (bytes.length !== Number(length) || hex(checksum(part, `${runId} ${offset} ${length}`, [bytes])) !== sum) return;
    yield { runId, offset: Number(offset), bytes };
    at = from + bytes.length;
  }
}

function checksum(part: number, frame: string, pieces: readonly Uint8Array[]): number {
  let sum = crc32(`${part} ${frame}`);
  for (const piece of pieces) sum = crc32(piece, sum);
  return sum;
}

const hex = (sum: number): string => sum.toString(16).padStart(8, '0');
