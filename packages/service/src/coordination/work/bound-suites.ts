import type { EventLog, RecordedEvent } from '../../kernel/event-log.ts';
import { isStored } from '../stored-event.ts';

/**
 * A suite that is bound to a node may have run before. Returns what looks at the runs that are there where a suite was bound
 * since the last time, and is undefined where none was.
 */
export function lookAtBoundSuites(
  log: Pick<EventLog, 'onCommitted'>,
  settle: () => Promise<unknown>,
): () => Promise<unknown> | undefined {
  let isPending = false;
  log.onCommitted((events) => {
    isPending ||= events.some(bindsSuites);
  });
  return () => {
    if (!isPending) return undefined;
    isPending = false;
    return settle();
  };
}

function bindsSuites(event: RecordedEvent): boolean {
  if (!isStored(event, 'plan')) return false;
  if (event.type === 'node_bound') return event.data.binding?.kind === 'suite';
  if (event.type === 'node_added') return event.data.node.binding?.kind === 'suite';
  return event.type === 'plan_created' || event.type === 'plan_restored';
}
