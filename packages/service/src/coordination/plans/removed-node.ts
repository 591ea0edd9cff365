import type { Health } from '../../kernel/claim-view.ts';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKey, planOf } from '../../kernel/streams.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';

/** A node that an event removed. `ended` is how its claim's session was last seen, if it was claimed. */
export type RemovedNode = { key: NodeKey; ended: { health: Health; reason: string | null } | null };

export function removedNode(event: RecordedEvent): RemovedNode | undefined {
  if (!isStored(event, 'plan') || event.type !== 'node_removed') return undefined;
  return { key: nodeKey(planOf(event) ?? '', event.data.id), ended: event.data.ended ?? null };
}

/** A node that its holder split: new nodes precede it, and the claim ends. */
export function splitNode(
  event: RecordedEvent,
): ((StoredEvent<'plan'> & { type: 'node_split' })['data'] & { key: NodeKey }) | undefined {
  if (!isStored(event, 'plan') || event.type !== 'node_split') return undefined;
  return { key: nodeKey(planOf(event) ?? '', event.data.id), ...event.data };
}

/** A node that its author changed: earlier failures no longer count. */
export function changedNode(event: RecordedEvent): NodeKey | undefined {
  if (!isStored(event, 'plan')) return undefined;
  const plan = planOf(event) ?? '';
  switch (event.type) {
    case 'node_changed':
      return nodeKey(plan, event.data.id);
    case 'node_bound':
      return event.data.held ? undefined : nodeKey(plan, event.data.id);
    case 'dependency_added':
      return event.data.held ? undefined : nodeKey(plan, event.data.node);
    case 'dependency_removed':
      return nodeKey(plan, event.data.node);
    default:
      return undefined;
  }
}

/** A node that an event rebound or removed: its earlier proof is void. */
export function unprovenNode(event: RecordedEvent): NodeKey | undefined {
  if (!isStored(event, 'plan') || (event.type !== 'node_bound' && event.type !== 'node_removed')) return undefined;
  return nodeKey(planOf(event) ?? '', event.data.id);
}
