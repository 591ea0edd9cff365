import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The least rest between two reads; a read that takes long earns a longer one, so that reading is never half the work. */
const restMs = 250;
const rests = 6;

/**
 * Reads a key again without ever cancelling a read under way: one at a time, once more if it went stale meanwhile, and
 * with a rest between two, so that a busy hub cannot make the page read all the time.
 */
export function createRefresher(client: QueryClient): (key: QueryKey) => void {
  const busy = new Map<string, boolean>();

  const invalidate = (key: QueryKey) =>
    client.invalidateQueries({ queryKey: key }, { cancelRefetch: false }).catch(() => undefined);

  const run = async (key: QueryKey, name: string): Promise<void> => {
    busy.set(name, false);
    const started = performance.now();
    // A read that was under way may have been answered before the change: it is let finish, and does not count.
    const underWay = client.isFetching({ queryKey: key }) > 0;
    await invalidate(key);
    if (underWay) await invalidate(key);
    const tookMs = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.max(restMs, rests * tookMs)));
    const again = busy.get(name);
    busy.delete(name);
    if (again) void run(key, name);
  };

  return (key) => {
    const name = JSON.stringify(key);
    if (busy.has(name)) busy.set(name, true);
    else void run(key, name);
  };
}
