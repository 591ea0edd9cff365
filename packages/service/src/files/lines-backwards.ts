import type { SafeFile } from './safe-file.ts';

const chunkBytes = 64 * 1024;
/** Our own lines are never longer. */
const longestLine = 64 * 1024;

/** The complete lines that end before `before`, last first, each with its offset. */
export async function* linesBackwards(file: SafeFile, before: number): AsyncIterable<{ line: string; offset: number }> {
  let end = Math.min(before, file.size);
  let rest: Buffer = Buffer.alloc(0);
  while (end > 0) {
    const start = Math.max(0, end - chunkBytes);
    const bytes = Buffer.concat([await file.read(start, end - start), rest]);
    let lineEnd = bytes.length;
    for (
      let at = bytes.lastIndexOf(10, lineEnd - 1);
      at >= 0;
      at = lineEnd === 0 ? -1 : bytes.lastIndexOf(10, lineEnd - 1)
    ) {
      if (at + 1 < lineEnd) yield { line: bytes.toString('utf8', at + 1, lineEnd), offset: start + at + 1 };
      lineEnd = at;
    }
    rest = lineEnd > longestLine ? Buffer.alloc(0) : bytes.subarray(0, lineEnd);
    end = start;
  }
  if (rest.length > 0) yield { line: rest.toString('utf8'), offset: 0 };
}
