import type { Binding } from './binding.ts';
import type { Budget, NodeDocument, PlanDocument, PlanSource } from './contract.ts';
import type { Changes, PlanEvent } from './events.ts';
import { keyOf } from './key.ts';
import type { Priority } from './priority.ts';

export type PlanNode = {
  readonly id: string;
  title: string;
  description: string | null;
  repository: string | null;
  labels: readonly string[];
  estimateMinutes: number | null;
  maxAttempts: number | null;
  priority: Priority | null;
  budget: Budget | null;
  /** Globs of the files it will change. */
  touches: readonly string[];
  /** Names of resources that only one claim can use at a time. */
  uses: readonly string[];
  /** The references as authored: `<node>` of the same plan, `<plan>/<node>` of another. */
  dependsOn: readonly string[];
  binding: Binding | null;
};

export type Plan = {
  readonly slug: string;
  title: string;
  description: string | null;
  repository: string | null;
  maxAttempts: number | null;
  priority: Priority | null;
  /** How many of its nodes may be claimed at the same time. */
  maxClaims: number | null;
  budget: Budget | null;
  archivedAt: string | null;
  version: number;
  readonly createdAt: string;
  updatedAt: string;
  /** The sequence of the last change, which also orders changes of the same instant. */
  changedSequence: number;
  readonly source: PlanSource;
  readonly nodes: Map<string, PlanNode>;
};

export type EventPosition = { at: string; version: number; sequence: number };

/** Shared, because most nodes have no values. */
const none: readonly string[] = [];

export function nodeFrom(document: NodeDocument): PlanNode {
  return {
    id: document.id,
    title: document.title ?? document.id,
    description: document.description ?? null,
    repository: document.repository ?? null,
    labels: document.labels ?? [],
    estimateMinutes: document.estimateMinutes ?? null,
    maxAttempts: document.maxAttempts ?? null,
    priority: document.priority ?? null,
    budget: document.budget ?? null,
    touches: document.touches ?? none,
    uses: document.uses ?? none,
    dependsOn: document.dependsOn ?? [],
    binding: document.binding ?? null,
  };
}

export function planFrom(
  document: PlanDocument,
  slug: string,
  source: PlanSource,
  { at, version, sequence }: EventPosition,
): Plan {
  return {
    slug,
    title: document.title ?? slug,
    description: document.description ?? null,
    repository: document.repository ?? null,
    maxAttempts: document.maxAttempts ?? null,
    priority: document.priority ?? null,
    maxClaims: document.maxClaims ?? null,
    budget: document.budget ?? null,
    archivedAt: null,
    version,
    createdAt: at,
    updatedAt: at,
    changedSequence: sequence,
    source,
    nodes: new Map((document.nodes ?? []).map((node) => [keyOf(node.id), nodeFrom(node)])),
  };
}

/** Folds in place: a copy of a plan of many thousand nodes for each event would make imports quadratic. */
export function evolve(plan: Plan, event: PlanEvent, { at, version, sequence }: EventPosition): void {
  plan.version = version;
  plan.changedSequence = sequence;
  plan.updatedAt = at;
  switch (event.type) {
    case 'plan_created':
    case 'plan_moved':
      return;
    case 'plan_changed':
      assign(plan, event.data.fields);
      return;
    case 'plan_archived':
      plan.archivedAt = at;
      return;
    case 'plan_restored':
      plan.archivedAt = null;
      return;
    case 'node_added':
      plan.nodes.set(keyOf(event.data.node.id), nodeFrom(event.data.node));
      return;
    case 'node_split': {
      const { id, nodes } = event.data;
      for (const part of nodes) plan.nodes.set(keyOf(part.id), nodeFrom(part));
      const node = plan.nodes.get(keyOf(id));
      if (node) node.dependsOn = [...node.dependsOn, ...nodes.map((part) => part.id)];
      return;
    }
    case 'node_removed':
      plan.nodes.delete(keyOf(event.data.id));
      return;
    default:
      evolveNode(plan, event);
  }
}

type NodeEvent = Extract<
  PlanEvent,
  { type: 'node_changed' | 'dependency_added' | 'dependency_removed' | 'node_bound' }
>;

function evolveNode(plan: Plan, { type, data }: NodeEvent): void {
  const node = plan.nodes.get(keyOf('id' in data ? data.id : data.node));
  if (!node) return;
  switch (type) {
    case 'node_changed':
      assign(node, data.fields);
      return;
    case 'dependency_added':
      node.dependsOn = [...node.dependsOn, data.on];
      return;
    case 'dependency_removed':
      node.dependsOn = node.dependsOn.filter((ref) => keyOf(ref) !== keyOf(data.on));
      return;
    case 'node_bound':
      node.binding = data.binding;
  }
}

function assign(target: object, fields: Changes): void {
  Object.assign(target, Object.fromEntries(Object.entries(fields).map(([name, { to }]) => [name, to])));
}
