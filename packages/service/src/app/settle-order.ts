import type { NodeProgress } from '../coordination/work/work-state.ts';
import type { EventLog } from '../kernel/event-log.ts';

/** Nodes visited in one turn of the event loop: about a millisecond, however deep the graph. */
const visitsPerTurn = 16_384;

/**
 * Finishes recounting a deep graph after a change, a little in each turn, so that no claim waits for it. The returned promise settles once the
 * ready order is complete.
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
    // Failures surface at the next read of the order.
    if (!settling) setImmediate(() => void settled().catch(() => undefined));
  });
  return settled;
}
