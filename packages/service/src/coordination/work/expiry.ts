import type { Append } from '../../kernel/event-log.ts';
import { expiryEvents, settledEvents } from '../claims/decide.ts';
import { claimAppend, factsOf } from './claiming.ts';
import type { WorkContext } from './work-context.ts';

/** How often the service checks for expired leases and for submissions that have ended. */
export const expirySweepMs = 1000;

/** Records each expired lease and each settled submission once. Reads do not depend on it, because they use the clock and the evidence. */
export async function noteExpired(ctx: WorkContext): Promise<void> {
  if (expired(ctx, ctx.log.now()).length === 0) return;
  await ctx.log.commit((now) => ({ append: expired(ctx, now), answer: () => undefined }));
}

function expired(ctx: WorkContext, now: string): Append[] {
  const { claims, plans } = ctx.workState;
  return [...new Set([...claims.open(), ...claims.submitted()])].flatMap((key): Append[] => {
    const vertex = plans.graph.find(key);
    if (vertex === undefined) return [];
    const facts = factsOf(ctx, vertex, now);
    const events = [...expiryEvents(facts), ...settledEvents(facts)];
    return events.length > 0 ? [claimAppend(ctx, vertex, events, 'service')] : [];
  });
}
