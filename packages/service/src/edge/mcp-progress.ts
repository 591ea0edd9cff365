import type { ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '../kernel/clock.ts';

const everyMs = 10_000;

/** Sends progress notifications every ten seconds to callers that asked for them. */
export async function withProgress<Result>(
  work: () => Promise<Result>,
  { clock, context, token }: { clock: Pick<Clock, 'every' | 'monotonic'>; context: ServerContext; token: unknown },
): Promise<Result> {
  if (typeof token !== 'string' && typeof token !== 'number') return work();
  const began = clock.monotonic();
  const stop = clock.every(everyMs, async () => {
    const progress = Math.round((clock.monotonic() - began) / 1000);
    const params = { progressToken: token, progress, message: `waiting for ${progress} s` };
    // A caller that went away needs no notification.
    await context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
