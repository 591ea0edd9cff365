import { queryClient } from '../../live/query-client.ts';
import { queryKeys } from '../../live/query-keys.ts';

/** Reads everything that shows a node again after an action, without waiting for the hub. */
export async function refreshNode(plan: string): Promise<void> {
  const stale = [queryKeys.plan(plan), queryKeys.plans, queryKeys.ready, queryKeys.agents];
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey: [...queryKey] })));
}
