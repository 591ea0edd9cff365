const stampStart = Buffer.from('{"type":"console_stamp"');

/** Earlier releases wrote notes of their own between the events. */
export async function* withoutStamps(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(end);
    yield* linesWithoutStamps(bytes.subarray(0, end));
  }
  yield* linesWithoutStamps(rest);
}

function* linesWithoutStamps(bytes: Buffer): Iterable<Uint8Array> {
  if (bytes.length === 0) return;
  if (!bytes.includes(stampStart)) return yield bytes;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from) + 1 || bytes.length;
    const line = bytes.subarray(from, end);
    if (line.indexOf(stampStart) !== 0) yield line;
    from = end;
  }
}
