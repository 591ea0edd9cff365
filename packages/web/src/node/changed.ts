import { client } from '../live/client.ts';
import { keys } from '../live/keys.ts';

/** After something was done here the page shows it at once, whether or not the hub is quicker. */
export async function nodeChanged(plan: string): Promise<void> {
  const stale = [keys.plan(plan), keys.plans, keys.ready, keys.agents];
  await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey: [...queryKey] })));
}
