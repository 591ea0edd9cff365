import type { Append } from '../../kernel/event-log.ts';
import { noteExpiry } from '../claims/decide.ts';
import { claimAppend } from './claiming.ts';
import { factsOf, type WorkContext } from './context.ts';

/** How soon after a lease's end its note is looked for. */
export const expirySweepMs = 1000;

/** Writes the note of each lease that has run out, once. Nothing waits for it. */
export async function noteExpired(ctx: WorkContext): Promise<void> {
  if (expired(ctx, ctx.log.now()).length === 0) return;
  await ctx.log.commit((now) => ({ append: expired(ctx, now), answer: () => undefined }));
}

function expired(ctx: WorkContext, now: string): Append[] {
  const { claims, plans } = ctx.picture;
  return [...claims.open()].flatMap((key): Append[] => {
    const vertex = plans.graph.find(key);
    if (vertex === undefined) return [];
    const events = noteExpiry(factsOf(ctx, vertex, now));
    return events.length > 0 ? [claimAppend(ctx, vertex, events, 'service')] : [];
  });
}
