import type { Append } from '../../kernel/event-log.ts';
import { type Fault, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import type { NodeDocument, PlanDocument, Source } from './contract.ts';
import { type DependsOn, findCycle } from './cycles.ts';
import { graphStream, type PlanEvent, planStream } from './events.ts';
import { keyOf } from './names.ts';
import { refKey, shorten } from './refs.ts';

/** What an author's command comes to: what happened to one plan, and whether an edge is new. */
export type Authored = { slug: string; events: readonly PlanEvent[]; addsEdges: boolean };

export type NewPlan = PlanDocument & { plan: string };

export function createPlan(book: PlanBook, asked: NewPlan, source: Source): Authored | Refusal {
  const known = book.find(asked.plan);
  if (known) {
    const state = known.archivedAt === null ? 'exists' : 'exists and is archived';
    return refuse('plan_exists', `The plan ${known.slug} ${state}. Import it with PUT, or choose another slug.`);
  }
  const document = tidyPlan(asked);
  const nodes = document.nodes ?? [];
  const refused = checkReferences(nodes, asked.plan, nodes) ?? checkCycles(book, asked.plan, nodes);
  if (refused) return refused;
  return {
    slug: asked.plan,
    events: [{ type: 'plan_created', data: { document, source } }],
    addsEdges: nodes.some((node) => (node.dependsOn ?? []).length > 0),
  };
}

/** The streams that one author's command is written to. */
export function appendsOf({ slug, events, addsEdges }: Authored, by: string): Append[] {
  if (events.length === 0) return [];
  const append: Append = { stream: planStream(slug), events: events.map((event) => ({ ...event, by })) };
  if (!addsEdges) return [append];
  return [append, { stream: graphStream, events: [{ type: 'edges_added', data: { plan: slug }, by }] }];
}

/** Leaves out what is empty, shortens own references and drops those said twice. */
export function tidyPlan(asked: NewPlan): NewPlan {
  const ids = new Map((asked.nodes ?? []).map(({ id }) => [keyOf(id), id]));
  const nodes = (asked.nodes ?? []).map((node) => tidyNode(node, asked.plan, ids));
  return { ...dropEmpty({ ...asked, nodes: undefined }), plan: asked.plan, nodes };
}

export function tidyNode(node: NodeDocument, slug: string, ids: ReadonlyMap<string, string>): NodeDocument {
  const refs = new Map<string, string>();
  for (const ref of node.dependsOn ?? []) {
    const short = shorten(ref, slug);
    if (!refs.has(keyOf(short))) refs.set(keyOf(short), ids.get(keyOf(short)) ?? short);
  }
  return { ...dropEmpty({ ...node, dependsOn: [...refs.values()] }), id: node.id };
}

function dropEmpty<T extends object>(members: T): Partial<T> {
  const isEmpty = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && !value.length);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as Partial<T>;
}

/** References of the own plan must be there; those of other plans may come later. */
export function checkReferences(
  nodes: readonly NodeDocument[],
  slug: string,
  known: Iterable<{ id: string }>,
): Refusal | undefined {
  const ids = new Set([...known].map(({ id }) => keyOf(id)));
  const faults: Fault[] = [];
  nodes.forEach((node, at) => {
    (node.dependsOn ?? []).forEach((ref, index) => {
      const short = keyOf(shorten(ref, slug));
      if (short.includes('/') || ids.has(short)) return;
      const path = `nodes[${at}].dependsOn[${index}]`;
      faults.push({ path, message: `${ref} is no node of ${slug}; write <plan>/<node> for another plan's` });
    });
  });
  return faults.length > 0 ? refuseShape(faults) : undefined;
}

/** Whether a plan with these nodes, and everything else as it is, stays free of cycles. */
export function checkCycles(book: PlanBook, slug: string, nodes: readonly NodeDocument[]): Refusal | undefined {
  const own = new Map(nodes.map((node) => [refKey(node.id, slug), node]));
  for (const node of nodes) {
    if (node.dependsOn?.some((ref) => refKey(ref, slug) === refKey(node.id, slug))) return refuseSelf(node.id);
  }
  const prefix = `${keyOf(slug)}/`;
  const dependsOn: DependsOn = (key) => {
    const refs = own.get(key)?.dependsOn;
    if (refs) return refs.map((ref) => refKey(ref, slug));
    return key.startsWith(prefix) ? [] : keysBehind(book, key);
  };
  const cycle = findCycle(own.keys(), dependsOn);
  return cycle && refuseCycle(cycle.map((key) => nameOf(book, key, slug, own)));
}

function keysBehind({ graph }: PlanBook, key: string): string[] {
  const vertex = graph.find(key);
  return vertex === undefined ? [] : (graph.dependsOn[vertex] ?? []).map((on) => graph.keys[on] ?? '');
}

function nameOf(book: PlanBook, key: string, slug: string, own: ReadonlyMap<string, NodeDocument>): string {
  const node = own.get(key);
  if (node) return `${slug}/${node.id}`;
  const vertex = book.graph.find(key);
  return vertex === undefined ? key : book.refOf(vertex);
}

export const refuseSelf = (id: string): Refusal =>
  refuse('self_dependency', `${id} cannot depend on itself. Leave that reference out.`);

export const refuseCycle = (path: readonly string[]): Refusal =>
  refuse(
    'cycle',
    `This would make a cycle, each waiting for the next: ${path.join(' -> ')}. Leave one of these edges out.`,
  );
