import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The least rest between two reads; a read that takes long earns a longer one, so that reading is never half the work. */
const restMs = 250;
const rests = 6;

/** Reads one at a time, once more if asked meanwhile, with a rest between two: a busy hub cannot make it read all the time. */
export function rested(read: () => Promise<unknown>): () => void {
  let busy = false;
  let stale = false;
  const run = async (): Promise<void> => {
    busy = true;
    stale = false;
    const started = performance.now();
    await read().catch(() => undefined);
    const tookMs = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.max(restMs, rests * tookMs)));
    busy = false;
    if (stale) void run();
  };
  return () => {
    if (busy) stale = true;
    else void run();
  };
}

/** Reads a key again without ever cancelling a read under way. */
export function createRefresher(client: QueryClient): (key: QueryKey) => void {
  const reads = new Map<string, () => void>();

  const invalidate = (key: QueryKey) =>
    client.invalidateQueries({ queryKey: key }, { cancelRefetch: false }).catch(() => undefined);

  const readAgain = async (key: QueryKey): Promise<void> => {
    // A read that was under way may have been answered before the change: it is let finish, and does not count.
    const underWay = client.isFetching({ queryKey: key }) > 0;
    await invalidate(key);
    if (underWay) await invalidate(key);
  };

  return (key) => {
    const name = JSON.stringify(key);
    const read = reads.get(name) ?? rested(() => readAgain(key));
    reads.set(name, read);
    read();
  };
}
