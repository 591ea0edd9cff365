import type { Append } from '../../kernel/event-log.ts';
import { expiryEvents } from '../claims/decide.ts';
import { claimAppend, factsOf } from './claiming.ts';
import type { WorkContext } from './work-context.ts';

/** How often expired leases are looked for. */
export const expirySweepMs = 1000;

/** Records each expired lease once. Reads do not depend on it: they compare `expiresAt` with the clock. */
export async function noteExpired(ctx: WorkContext): Promise<void> {
  if (expired(ctx, ctx.log.now()).length === 0) return;
  await ctx.log.commit((now) => ({ append: expired(ctx, now), answer: () => undefined }));
}

function expired(ctx: WorkContext, now: string): Append[] {
  const { claims, plans } = ctx.workState;
  return [...claims.open()].flatMap((key): Append[] => {
    const vertex = plans.graph.find(key);
    if (vertex === undefined) return [];
    const events = expiryEvents(factsOf(ctx, vertex, now));
    return events.length > 0 ? [claimAppend(ctx, vertex, events, 'service')] : [];
  });
}
