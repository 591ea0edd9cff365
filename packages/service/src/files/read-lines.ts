import { isAscii } from 'node:buffer';

/** The lines of a byte stream, many at a time. A last line without a line break counts too. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<readonly string[]> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const end = bytes.lastIndexOf(0x0a);
    if (end >= 0) {
      yield textOf([...rest, bytes.subarray(0, end)]).split('\n');
      rest = [];
    }
    rest.push(bytes.subarray(end + 1));
  }
  const last = textOf(rest);
  if (last !== '') yield [last];
}

function textOf(pieces: readonly Buffer[]): string {
  const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
