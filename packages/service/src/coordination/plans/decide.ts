import type { Append } from '../../kernel/event-log.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { type Binding, sameBinding } from './binding.ts';
import type { PlanBook } from './book.ts';
import { changesOf, type NodeChanges, unmentioned } from './changes.ts';
import { checkCycles, checkEdges, referenceFaults, sentRefs } from './check.ts';
import type { NodeDocument, Source } from './contract.ts';
import { graphStream, type PlanEvent, planStream } from './events.ts';
import { openNode, openPlan } from './find.ts';
import { keyOf } from './key.ts';
import { nodeFrom } from './plan.ts';
import type { LiveClaim } from './ports.ts';
import { refKey, shorten } from './refs.ts';
import { type NewPlan, spellingIn, spellingOf, tidyNode, tidyPlan, tidyRefs } from './tidy.ts';

/** What an author's command comes to: what happened to one plan, and whether an edge is new. */
export type Authored = {
  slug: string;
  events: readonly PlanEvent[];
  addsEdges: boolean;
  /** Streams of other things that were looked at: one that another host has written meanwhile is looked at again. */
  reads?: readonly string[];
};

/** The streams that one author's command is written to. */
export function appendsOf({ slug, events, addsEdges }: Authored, by: string): Append[] {
  if (events.length === 0) return [];
  const append: Append = { stream: planStream(slug), events: events.map((event) => ({ ...event, by })) };
  if (!addsEdges) return [append];
  return [append, { stream: graphStream, events: [{ type: 'edges_added', data: { plan: slug }, by }] }];
}

const without = (slug: string, ...events: PlanEvent[]): Authored => ({ slug, events, addsEdges: false });

export function createPlan(book: PlanBook, asked: NewPlan, source: Source): Authored | Refusal {
  const known = book.find(asked.plan);
  if (known) {
    const state = known.archivedAt === null ? 'exists' : 'exists and is archived';
    return refuse('plan_exists', `The plan ${known.slug} ${state}. Import it with PUT, or choose another slug.`);
  }
  const document = tidyPlan(asked);
  const nodes = document.nodes ?? [];
  const faults = referenceFaults(asked.nodes ?? [], asked.plan, spellingOf(nodes));
  if (faults.length > 0) return refuseShape(faults);
  const addsEdges = nodes.some((node) => node.dependsOn !== undefined);
  const refused = addsEdges && checkCycles(book, asked.plan, nodes);
  return refused || { slug: asked.plan, events: [{ type: 'plan_created', data: { document, source } }], addsEdges };
}

/** Nothing where it is archived already: asking twice is no mistake. */
export function archivePlan(book: PlanBook, slug: string): Authored | Refusal {
  const plan = openPlan(book, slug);
  if (isRefusal(plan)) return plan.code === 'plan_archived' ? without(slug) : plan;
  return without(plan.slug, { type: 'plan_archived', data: {} });
}

export function addNode(book: PlanBook, slug: string, asked: NodeDocument): Authored | Refusal {
  const plan = openPlan(book, slug);
  if (isRefusal(plan)) return plan;
  const known = plan.nodes.get(keyOf(asked.id));
  if (known)
    return refuse('node_exists', `${plan.slug} has a node ${known.id}. Change it with PUT, or choose another id.`);
  const refused = checkEdges(book, plan, asked.id, sentRefs(asked.dependsOn));
  if (refused) return refused;
  const node = tidyNode(asked, plan.slug, spellingIn(plan));
  const events: PlanEvent[] = [{ type: 'node_added', data: { node } }];
  return { slug: plan.slug, events, addsEdges: node.dependsOn !== undefined };
}

/** Members that are not mentioned stay; null clears. */
export function updateNode(book: PlanBook, slug: string, id: string, changes: NodeChanges): Authored | Refusal {
  const found = openNode(book, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const wanted = { ...unmentioned(node, changes), id: node.id };
  const known = new Set(node.dependsOn.map((ref) => refKey(ref, plan.slug)));
  const fresh = sentRefs(wanted.dependsOn).filter(({ ref }) => !known.has(refKey(ref, plan.slug)));
  const refused = checkEdges(book, plan, node.id, fresh);
  if (refused) return refused;
  const tidy = nodeFrom(tidyNode(wanted, plan.slug, spellingIn(plan)));
  return { slug: plan.slug, events: changesOf(node, tidy, plan.slug).events, addsEdges: fresh.length > 0 };
}

export type Removal = { force: boolean; claim: LiveClaim | null; claimStream: string };

export function removeNode(
  book: PlanBook,
  slug: string,
  id: string,
  { force, claim, claimStream }: Removal,
): Authored | Refusal {
  const found = openNode(book, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const dependents = book.graph.dependents[book.vertex(plan.slug, node.id)] ?? [];
  if (!force && dependents.length > 0) {
    const names = dependents.map((vertex) => book.refOf(vertex));
    return refuse('node_has_dependents', `${names.join(', ')} depend on ${node.id}. Remove it anyway with force.`, {
      dependents: names,
    });
  }
  if (!force && claim) return refuseClaimed(`${plan.slug}/${node.id}`, claim);
  const own = dependents.filter((vertex) => book.graph.plans[vertex] === plan);
  const dropped = own.map((vertex): PlanEvent => {
    const dependent = book.graph.nodes[vertex]?.id ?? '';
    return { type: 'dependency_removed', data: { node: dependent, on: node.id } };
  });
  const reads = force ? [] : [claimStream, graphStream];
  return { ...without(plan.slug, ...dropped, nodeRemoved(node.id, claim)), reads };
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

export function addDependency(book: PlanBook, slug: string, id: string, on: string): Authored | Refusal {
  const found = openNode(book, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  if (node.dependsOn.some((ref) => refKey(ref, plan.slug) === refKey(on, plan.slug))) return without(plan.slug);
  const refused = checkEdges(book, plan, node.id, [{ ref: on, path: 'dependsOn' }]);
  if (refused) return refused;
  const [ref = on] = tidyRefs([on], plan.slug, spellingIn(plan));
  const events: PlanEvent[] = [{ type: 'dependency_added', data: { node: node.id, on: ref } }];
  return { slug: plan.slug, events, addsEdges: true };
}

export function removeDependency(book: PlanBook, slug: string, id: string, on: string): Authored | Refusal {
  const found = openNode(book, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  const known = node.dependsOn.find((ref) => keyOf(ref) === keyOf(shorten(on, plan.slug)));
  if (known === undefined) return without(plan.slug);
  return without(plan.slug, { type: 'dependency_removed', data: { node: node.id, on: known } });
}

export function bindNode(book: PlanBook, slug: string, id: string, binding: Binding | null): Authored | Refusal {
  const found = openNode(book, slug, id);
  if (isRefusal(found)) return found;
  const { plan, node } = found;
  if (sameBinding(node.binding, binding)) return without(plan.slug);
  return without(plan.slug, { type: 'node_bound', data: { id: node.id, binding } });
}
