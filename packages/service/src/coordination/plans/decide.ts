import type { Append } from '../../kernel/event-log.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import { type Binding, sameBinding, ticketRepository } from './binding.ts';
import { checkCycles, checkEdges, checkReferences, referenceFaults, sentRefs } from './check-references.ts';
import { duplicateIds, type NodeDocument, type PlanSource } from './contract.ts';
import type { PlanEvent } from './events.ts';
import { writableNode, writablePlan } from './find-plan.ts';
import { keyOf } from './key.ts';
import { diffNodes, mergeChanges, type NodeChanges } from './node-diff.ts';
import { type NewPlan, normaliseNode, normalisePlan, normaliseRefs, spellingIn, spellingOf } from './normalise.ts';
import { nodeFrom, type Plan, type PlanNode } from './plan.ts';
import type { PlanProjection } from './plan-projection.ts';
import type { LiveClaim } from './ports.ts';
import { refKey, shorten } from './refs.ts';

/** The outcome of an authoring command: the events of one plan, and whether an edge is new. */
export type AuthoredChange = {
  slug: string;
  events: readonly PlanEvent[];
  addsEdges: boolean;
  /** Other streams that the decision depends on: if another host wrote to one meanwhile, it is decided again. */
  reads?: readonly string[];
};

/** The streams that an author's command is written to. */
export function appendsOf({ slug, events, addsEdges }: AuthoredChange, by: string): Append[] {
  if (events.length === 0) return [];
  const append: Append = { stream: streams.plan(slug), events: events.map((event) => ({ ...event, by })) };
  if (!addsEdges) return [append];
  return [append, { stream: streams.graph, events: [{ type: 'edges_added', data: { plan: slug }, by }] }];
}

const withoutEdges = (slug: string, ...events: PlanEvent[]): AuthoredChange => ({ slug, events, addsEdges: false });

export function createPlan(plans: PlanProjection, asked: NewPlan, source: PlanSource): AuthoredChange | Refusal {
  const existing = plans.find(asked.plan);
  if (existing) {
    const state = existing.archivedAt === null ? 'exists' : 'exists and is archived';
    return refuse('plan_exists', `The plan ${existing.slug} ${state}. Import it with PUT, or choose another slug.`);
  }
  const document = normalisePlan(asked);
  const nodes = document.nodes ?? [];
  const addsEdges = nodes.some((node) => node.dependsOn !== undefined);
  const refused = addsEdges && checkReferences(plans, asked.plan, asked.nodes ?? [], { nodes, ids: spellingOf(nodes) });
  return refused || { slug: asked.plan, events: [{ type: 'plan_created', data: { document, source } }], addsEdges };
}

/** No events if it is already archived: archiving twice is allowed. */
export function archivePlan(plans: PlanProjection, slug: string): AuthoredChange | Refusal {
  const plan = writablePlan(plans, slug);
  if (isRefusal(plan)) return plan.code === 'plan_archived' ? withoutEdges(slug) : plan;
  return withoutEdges(plan.slug, { type: 'plan_archived', data: {} });
}

export function addNode(plans: PlanProjection, slug: string, asked: NodeDocument): AuthoredChange | Refusal {
  const plan = writablePlan(plans, slug);
  if (isRefusal(plan)) return plan;
  const existing = plan.nodes.get(keyOf(asked.id));
  if (existing)
    return refuse('node_exists', `${plan.slug} has a node ${existing.id}. Change that node, or choose another id.`);
  const refused = checkEdges(plans, plan, asked.id, sentRefs(asked.dependsOn));
  if (refused) return refused;
  const node = normaliseNode(asked, plan.slug, spellingIn(plan));
  const events: PlanEvent[] = [{ type: 'node_added', data: { node } }];
  return { slug: plan.slug, events, addsEdges: node.dependsOn !== undefined };
}

/** Omitted members stay; null clears one. */
export function updateNode(
  plans: PlanProjection,
  slug: string,
  id: string,
  changes: NodeChanges,
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const wanted = { ...mergeChanges(node, changes), id: node.id };
  const known = new Set(node.dependsOn.map((ref) => refKey(ref, plan.slug)));
  const newRefs = sentRefs(wanted.dependsOn).filter(({ ref }) => !known.has(refKey(ref, plan.slug)));
  const refused = checkEdges(plans, plan, node.id, newRefs);
  if (refused) return refused;
  const normalised = nodeFrom(normaliseNode(wanted, plan.slug, spellingIn(plan)));
  return { slug: plan.slug, events: diffNodes(node, normalised, plan.slug).events, addsEdges: newRefs.length > 0 };
}

export type RemovalRequest = { force: boolean; claim: LiveClaim | null; claimStream: string };

export function removeNode(
  plans: PlanProjection,
  slug: string,
  id: string,
  { force, claim, claimStream }: RemovalRequest,
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const dependents = plans.graph.dependents[plans.vertex(plan.slug, node.id)] ?? [];
  if (!force && dependents.length > 0) {
    const names = dependents.map((vertex) => plans.refOf(vertex));
    return refuse('node_has_dependents', `${names.join(', ')} depend on ${node.id}. Remove it anyway with force.`, {
      dependents: names,
    });
  }
  if (!force && claim) return refuseClaimed(`${plan.slug}/${node.id}`, claim);
  const own = dependents.filter((vertex) => plans.graph.plans[vertex] === plan);
  const dropped = own.map((vertex): PlanEvent => {
    const dependent = plans.graph.nodes[vertex]?.id ?? '';
    return { type: 'dependency_removed', data: { node: dependent, on: node.id } };
  });
  const reads = force ? [] : [claimStream, streams.graph];
  return { ...withoutEdges(plan.slug, ...dropped, nodeRemoved(node.id, claim)), reads };
}

export const nodeRemoved = (id: string, claim: LiveClaim | null): PlanEvent => ({
  type: 'node_removed',
  data: claim ? { id, ended: { health: claim.health, reason: claim.reason } } : { id },
});

export const refuseClaimed = (ref: string, { heldBy, heldUntil }: LiveClaim): Refusal =>
  refuse('node_claimed', `${heldBy} holds ${ref} until ${heldUntil}. Wait for its release, or use force.`, {
    heldBy,
    heldUntil,
  });

/** Set if the holder changed the node, not an author: earlier failures still count. */
export type Held = { held?: true };

export function addDependency(
  plans: PlanProjection,
  slug: string,
  id: string,
  on: string,
  held: Held = {},
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  if (node.dependsOn.some((ref) => refKey(ref, plan.slug) === refKey(on, plan.slug))) return withoutEdges(plan.slug);
  const refused = checkEdges(plans, plan, node.id, [{ ref: on, path: 'dependsOn' }]);
  if (refused) return refused;
  const [ref = on] = normaliseRefs([on], plan.slug, spellingIn(plan));
  const events: PlanEvent[] = [{ type: 'dependency_added', data: { node: node.id, on: ref, ...held } }];
  return { slug: plan.slug, events, addsEdges: true };
}

export function removeDependency(
  plans: PlanProjection,
  slug: string,
  id: string,
  on: string,
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const known = node.dependsOn.find((ref) => keyOf(ref) === keyOf(shorten(on, plan.slug)));
  if (known === undefined) return withoutEdges(plan.slug);
  return withoutEdges(plan.slug, { type: 'dependency_removed', data: { node: node.id, on: known } });
}

export function bindNode(
  plans: PlanProjection,
  slug: string,
  id: string,
  binding: Binding | null,
  held: Held = {},
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  if (sameBinding(node.binding, binding)) return withoutEdges(plan.slug);
  return withoutEdges(plan.slug, { type: 'node_bound', data: { id: node.id, binding, ...held } });
}

/**
 * A holder may bind only to something that others decide, a pull request or issue of the node's repository, so that
 * nobody proves their own work.
 */
export function checkBindingOfHolder(
  { plan, node }: { plan: Plan; node: PlanNode },
  wanted: Binding | null,
): Refusal | undefined {
  const { binding: bound } = node;
  const asked = wanted === null ? null : (ticketRepository(wanted)?.toLowerCase() ?? null);
  const isUnbound = bound === null && asked !== null && asked === (node.repository ?? plan.repository)?.toLowerCase();
  const isNumber =
    bound?.kind === 'pullRequest' &&
    wanted?.kind === 'pullRequest' &&
    wanted.pullRequest !== undefined &&
    asked === bound.repository?.toLowerCase();
  if (sameBinding(bound, wanted) || isUnbound || isNumber) return undefined;
  const may =
    'may only bind it to a pull request or issue of its repository, if it is unbound or bound by repository without a number';
  return refuse(
    'scope_required',
    `The holder of ${plan.slug}/${node.id} ${may}. Anything else needs the author scope.`,
    {
      scope: 'author',
    },
  );
}

export type SplitRequest = Omit<Extract<PlanEvent, { type: 'node_split' }>['data'], 'id' | 'nodes'> & {
  nodes: readonly NodeDocument[];
  claimStream: string;
};

/** Adds new nodes that a held node then depends on, and releases that node. */
export function splitNode(
  plans: PlanProjection,
  slug: string,
  id: string,
  { nodes: asked, claimStream, ...ended }: SplitRequest,
): AuthoredChange | Refusal {
  const found = writableNode(plans, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const existing = asked.find((part) => plan.nodes.has(keyOf(part.id)));
  if (existing) return refuse('node_exists', `${plan.slug} has a node ${existing.id}. Choose another id.`);
  const known = spellingOf([...plan.nodes.values(), ...asked]);
  const faults = [
    ...duplicateIds(asked).map(({ index, message }) => ({ path: `nodes[${index}].id`, message })),
    ...referenceFaults(asked, plan.slug, known),
  ];
  if (faults.length > 0) return refuseShape(faults);
  const parts = asked.map((part) => normaliseNode(part, plan.slug, known));
  const waiting = { ...mergeChanges(node, {}), dependsOn: [...node.dependsOn, ...parts.map((part) => part.id)] };
  const others = [...plan.nodes.values()].filter((one) => one !== node).map((one) => mergeChanges(one, {}));
  const refused = checkCycles(plans, plan.slug, [...others, waiting, ...parts]);
  if (refused) return refused;
  const events: PlanEvent[] = [{ type: 'node_split', data: { id: node.id, nodes: parts, ...ended } }];
  return { slug: plan.slug, events, addsEdges: true, reads: [claimStream] };
}
