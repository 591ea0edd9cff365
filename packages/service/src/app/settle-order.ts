import type { NodeProgress } from '../coordination/work/node-progress.ts';
import type { EventLog } from '../kernel/event-log.ts';

/** Visited nodes in one turn of the loop: about a millisecond, however deep a graph is. */
const visitsPerTurn = 16_384;

/**
 * Counts on, some in each turn, what a change of a deep graph leaves to count, so that no claim waits for it. Returns what
 * settles once the ready order lacks nothing.
 */
export function settleOrder(progress: NodeProgress, log: Pick<EventLog, 'onCommitted'>): () => Promise<void> {
  progress.settleOrder(Number.POSITIVE_INFINITY);
  let settling: Promise<void> | undefined;
  const settleInTurns = async (): Promise<void> => {
    while (!progress.settleOrder(visitsPerTurn)) await new Promise((resolve) => setImmediate(resolve));
  };
  const settled = (): Promise<void> => {
    settling ??= settleInTurns().finally(() => {
      settling = undefined;
    });
    return settling;
  };
  log.onCommitted(() => {
    // What fails is told to whoever asks for the order.
    if (!settling) setImmediate(() => void settled().catch(() => undefined));
  });
  return settled;
}
