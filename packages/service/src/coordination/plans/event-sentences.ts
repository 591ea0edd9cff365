import type { StoredEvent } from '../stored-event.ts';
import type { Changes } from './events.ts';

const countNodes = (count: number): string => `${count} ${count === 1 ? 'node' : 'nodes'}`;

const fieldNames = (fields: Changes): string => Object.keys(fields).join(', ');

/** One sentence for a person; undefined for an event of a newer version. */
export function planSentence({ type, data, by }: StoredEvent<'plan'>): string | undefined {
  switch (type) {
    case 'plan_created':
      return `${by} created the plan with ${countNodes(data.document.nodes?.length ?? 0)}.`;
    case 'plan_changed':
      return `${by} changed ${fieldNames(data.fields)} of the plan.`;
    case 'plan_archived':
      return `${by} archived the plan.`;
    case 'plan_restored':
      return `${by} restored the plan.`;
    case 'node_added':
      return `${by} added ${data.node.id}.`;
    case 'node_changed':
      return `${by} changed ${fieldNames(data.fields)} of ${data.id}.`;
    case 'node_removed':
      return `${by} removed ${data.id}.`;
    case 'node_split':
      return `${data.agent} split ${data.id} into ${data.nodes.map((node) => node.id).join(', ')}.`;
    case 'dependency_added':
      return `${by} made ${data.node} depend on ${data.on}.`;
    case 'dependency_removed':
      return `${by} removed the dependency of ${data.node} on ${data.on}.`;
    case 'node_bound':
      return data.binding === null
        ? `${by} removed the binding of ${data.id}.`
        : `${by} bound ${data.id} to ${data.binding.kind}.`;
    default:
      return undefined;
  }
}
