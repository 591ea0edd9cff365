import type { FileHandle } from 'node:fs/promises';
import { nullIfMissing } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import type { ArchiveEnds } from '../ports.ts';

const endBytes = 32 * 1024;
const scanBytes = 1024 * 1024;
const linesAtEachEnd = 3;
const significantTypes = ['"run_started"', '"run_finished"'];
const finished = Buffer.from('"run_finished"');

/**
 * A few lines from either end of an archive and those that may begin or end its run, in their order. The middle is only
 * searched, natively, where the last lines tell no end. Null when there is no such archive.
 */
export async function archiveEnds(path: string): Promise<ArchiveEnds | null> {
  const opened = await openSafeFile(path).catch(nullIfMissing);
  if (!opened) return null;
  const { file, stats } = opened;
  try {
    const { size } = stats;
    const head = await bytesAt(file, 0, Math.min(size, 2 * endBytes));
    if (size === head.length) return { lines: significantLines(linesIn(head)), isWhole: true };
    const from = size - endBytes;
    const first = linesIn(head).slice(0, -1);
    const last = linesIn(await bytesAt(file, from, endBytes)).slice(1);
    const isEnded = last.some((line) => line.includes('"run_finished"'));
    const between = isEnded ? [] : await findEnds(file, head.length - endBytes, from);
    return { lines: [...significantLines(first), ...between, ...significantLines(last)], isWhole: false };
  } finally {
    await file.close();
  }
}

function significantLines(lines: readonly string[]): string[] {
  const isSignificant = (line: string, index: number) =>
    index < linesAtEachEnd ||
    index >= lines.length - linesAtEachEnd ||
    significantTypes.some((mark) => line.includes(mark));
  return lines.filter((line, index) => line !== '' && isSignificant(line, index));
}

/** Whole lines that name the end of a run, as far as they do not cross from one stretch to the next. */
async function findEnds(file: FileHandle, from: number, to: number): Promise<string[]> {
  const found: string[] = [];
  for (let at = from; at < to; at += scanBytes) {
    const bytes = await bytesAt(file, at, Math.min(scanBytes + endBytes, to - at + endBytes));
    for (let mark = bytes.indexOf(finished); mark >= 0; mark = bytes.indexOf(finished, mark + 1)) {
      const end = bytes.indexOf(0x0a, mark);
      found.push(bytes.toString('utf8', bytes.lastIndexOf(0x0a, mark) + 1, end < 0 ? bytes.length : end));
    }
  }
  return found;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

const linesIn = (bytes: Buffer): string[] => bytes.toString('utf8').split('\n');
