const batchSize = 500;
const batchBytes = 4 * 1024 * 1024;

/** As many events as fit well below what the console takes at once. */
export function* batchesOf(events: readonly string[]): Iterable<readonly string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(event) + 1;
    if (batch.length === batchSize || (batch.length > 0 && bytes + size > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(event);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
