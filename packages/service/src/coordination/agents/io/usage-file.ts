import type { SafeFile } from '../../../files/safe-file.ts';
import { asObject } from '../turn.ts';
import { nothingCounted, type UsageCount, type UsageFormat } from '../usage-count.ts';

/** The count so far, and the byte up to which it was counted. */
export type CountedUsage = { count: UsageCount; upTo: number };

const firstChunk = 256 * 1024;
const longestLine = 8 * 1024 * 1024;
/** A poll reads at most this much of one file; the next one continues. */
const mostAtOnce = 16 * 1024 * 1024;
const newline = 10;

export const uncounted: CountedUsage = { count: nothingCounted, upTo: 0 };

/** Continues the count from its last position up to `end`, which follows a complete line. `read` are bytes that were already read. */
export async function countUsage(
  file: SafeFile,
  format: UsageFormat,
  before: CountedUsage,
  end: number,
  read: { bytes: Buffer; from: number },
): Promise<CountedUsage> {
  // If more than one chunk must be read again, other work runs in between.
  if (before.upTo >= read.from && end - before.upTo <= firstChunk) {
    const fresh = read.bytes.subarray(before.upTo - read.from, end - read.from);
    return { count: countIn(fresh, format, before.count), upTo: end };
  }
  let { count, upTo } = before;
  const stop = Math.min(end, upTo + mostAtOnce);
  for (let size = firstChunk; upTo < stop; ) {
    const bytes = await file.read(upTo, Math.min(size, end - upTo));
    const whole = bytes.lastIndexOf(newline) + 1;
    // An unterminated line is skipped once it is too long to be parsed.
    if (whole === 0 && bytes.length > 0 && size < longestLine) size *= 2;
    else {
      if (bytes.length === 0) break;
      count = countIn(bytes.subarray(0, whole), format, count);
      upTo += whole || bytes.length;
      size = firstChunk;
    }
  }
  return { count, upTo };
}

function countIn(bytes: Buffer, format: UsageFormat, before: UsageCount): UsageCount {
  let count = before;
  for (let start = 0; start < bytes.length; ) {
    const lineBreak = bytes.indexOf(newline, start);
    const end = lineBreak < 0 ? bytes.length : lineBreak;
    const line = bytes.subarray(start, end);
    if (format.mayTell(line)) count = addLine(count, format, line);
    start = end + 1;
  }
  return count;
}

/** A line that is not a record is skipped. */
function addLine(count: UsageCount, format: UsageFormat, line: Buffer): UsageCount {
  try {
    const record = asObject(JSON.parse(line.toString('utf8')));
    return record ? format.add(count, record) : count;
  } catch {
    return count;
  }
}
