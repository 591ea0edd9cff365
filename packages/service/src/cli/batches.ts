const batchSize = 500;
const batchBytes = 4 * 1024 * 1024;

/** Batches well below the limits of one ingest call. */
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

/** The run id of an event, given as one line of JSON. */
export function runIdIn(line: string): string {
  const event: unknown = JSON.parse(line);
  return typeof event === 'object' && event !== null && 'runId' in event ? String(event.runId) : '';
}
