import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The shortest pause between two reads. After a slow read the pause is a multiple of its duration. */
const pauseMs = 250;
const pausePerRead = 6;

/** Runs one read at a time with a pause after each, and one more if called meanwhile. */
export function throttled(read: () => Promise<unknown>): () => void {
  let busy = false;
  let stale = false;
  const run = async (): Promise<void> => {
    busy = true;
    stale = false;
    const started = performance.now();
    await read().catch(() => undefined);
    const tookMs = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, pausePerRead * tookMs)));
    busy = false;
    if (stale) void run();
  };
  return () => {
    if (busy) stale = true;
    else void run();
  };
}

/** Reads a key again without cancelling a read in progress. */
export function createRefresher(client: QueryClient): (key: QueryKey) => void {
  const reads = new Map<string, () => void>();

  const invalidate = (key: QueryKey) =>
    client.invalidateQueries({ queryKey: key }, { cancelRefetch: false }).catch(() => undefined);

  const readAgain = async (key: QueryKey): Promise<void> => {
    // A read in progress may have been answered before the change, so one more read follows it.
    const underWay = client.isFetching({ queryKey: key }) > 0;
    await invalidate(key);
    if (underWay) await invalidate(key);
  };

  return (key) => {
    const name = JSON.stringify(key);
    const read = reads.get(name) ?? throttled(() => readAgain(key));
    reads.set(name, read);
    read();
  };
}
