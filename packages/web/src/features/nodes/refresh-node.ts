import { readAgain, staleAfter } from '../shared/stale-queries.ts';

/** Reads everything that shows a node again after an action on it. */
export const refreshNode = (plan: string): Promise<void> =>
  readAgain([...staleAfter.planChange(plan), ...staleAfter.claimChange(plan)]);
