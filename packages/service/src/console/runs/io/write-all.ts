import { writev, writevSync } from 'node:fs';
import { promisify } from 'node:util';

const write = promisify(writev);

/** The system takes at most so many pieces at once, and may take fewer bytes than it was given. */
const piecesAtOnce = 1024;

export async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces;
  while (left.length > 0) {
    const some = left.length > piecesAtOnce ? left.slice(0, piecesAtOnce) : left;
    const written = isSmall(some) ? writevSync(fd, some) : (await write(fd, some)).bytesWritten;
    left = after(left, written);
  }
}

export function bytesOf(pieces: readonly Uint8Array[]): number {
  let sum = 0;
  for (const { byteLength } of pieces) sum += byteLength;
  return sum;
}

/** Into the system's memory and no further: handing so little to another thread would cost more than the write. */
const isSmall = (pieces: readonly Uint8Array[]): boolean => bytesOf(pieces) <= 256 * 1024;

function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.length) return [piece.subarray(left), ...pieces.slice(index + 1)];
    left -= piece.length;
  }
  return [];
}
