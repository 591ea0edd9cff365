import { isBySuiteAlone, sameBinding } from './binding.ts';
import type { NodeDocument } from './contract.ts';
import type { Changes, PlanEvent } from './events.ts';
import type { PlanNode } from './plan.ts';
import { refKey } from './refs.ts';

/** The members to change; omitted ones stay. */
export type NodeChanges = Omit<NodeDocument, 'id'>;

export type NodeDiff = { events: PlanEvent[]; fields: string[]; added: string[]; removed: string[] };

const comparedMembers = [
  'title',
  'description',
  'repository',
  'labels',
  'estimateMinutes',
  'maxAttempts',
  'priority',
  'budget',
  'touches',
  'uses',
] as const;

/** The changes that turn one node into another. */
export function diffNodes(from: PlanNode, to: PlanNode, slug: string): NodeDiff {
  const fields = changedFields(from, to, comparedMembers);
  const added = missingFrom(from.dependsOn, to.dependsOn, slug);
  const removed = missingFrom(to.dependsOn, from.dependsOn, slug);
  const isBound = !sameBinding(from.binding, to.binding);
  // Observations of another repository's runs no longer prove anything.
  const isJudgedAnew = !isBound && 'repository' in fields && isBySuiteAlone(to.binding);
  const { id } = from;
  const names = Object.keys(fields);
  const events: PlanEvent[] = [
    ...removed.map((on): PlanEvent => ({ type: 'dependency_removed', data: { node: id, on } })),
    ...(names.length > 0 ? [{ type: 'node_changed' as const, data: { id, fields } }] : []),
    ...added.map((on): PlanEvent => ({ type: 'dependency_added', data: { node: id, on } })),
    ...(isBound || isJudgedAnew ? [{ type: 'node_bound' as const, data: { id, binding: to.binding } }] : []),
  ];
  if (added.length + removed.length > 0) names.push('dependsOn');
  if (isBound) names.push('binding');
  return { events, fields: names, added, removed };
}

export function changedFields<Name extends string>(
  from: Readonly<Record<Name, unknown>>,
  to: Readonly<Record<Name, unknown>>,
  members: readonly Name[],
): Changes {
  const isSame = (name: Name) => JSON.stringify(from[name]) === JSON.stringify(to[name]);
  return Object.fromEntries(
    members.filter((name) => !isSame(name)).map((name) => [name, { from: from[name], to: to[name] }]),
  );
}

/** The references in `refs` that are not in `among`. */
function missingFrom(among: readonly string[], refs: readonly string[], slug: string): string[] {
  const known = new Set(among.map((ref) => refKey(ref, slug)));
  return refs.filter((ref) => !known.has(refKey(ref, slug)));
}

/** A node with some members changed; omitted ones stay. */
export function mergeChanges(node: PlanNode, changes: NodeChanges): NodeDocument {
  const mentioned = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { labels, touches, uses, dependsOn } = node;
  const lists = { labels: [...labels], touches: [...touches], uses: [...uses], dependsOn: [...dependsOn] };
  return { ...node, ...lists, ...mentioned, id: node.id };
}
