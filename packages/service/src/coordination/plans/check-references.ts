import { type Fault, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { keyOfRef, type NodeKey } from '../../kernel/streams.ts';
import type { NodeDocument } from './contract.ts';
import { keyOf } from './key.ts';
import type { Plan } from './plan.ts';
import type { PlanProjection } from './plan-projection.ts';
import { refKey, shorten } from './refs.ts';

/** References within the plan must exist; nodes of other plans may come later. */
export function referenceFaults(
  nodes: readonly NodeDocument[],
  slug: string,
  ids: { has(key: string): boolean },
): Fault[] {
  return nodes.flatMap((node, at) =>
    (node.dependsOn ?? []).flatMap((ref, index) =>
      isKnown(ref, slug, ids)
        ? []
        : [{ path: `nodes[${at}].dependsOn[${index}]`, node: node.id, message: unknownReference(ref, slug) }],
    ),
  );
}

function isKnown(ref: string, slug: string, ids: { has(key: string): boolean }): boolean {
  const short = keyOf(shorten(ref, slug));
  return short.includes('/') || ids.has(short);
}

const unknownReference = (ref: string, slug: string): string =>
  `${ref} is not a node of ${slug}; write <plan>/<node> for a node of another plan`;

/** All faults of a document's references; `nodes` are all nodes that its plan will have. */
export function checkReferences(
  plans: PlanProjection,
  slug: string,
  asked: readonly NodeDocument[],
  { nodes, ids }: { nodes: readonly NodeDocument[]; ids: { has(key: string): boolean } },
): Refusal | undefined {
  const unknown = referenceFaults(asked, slug, ids);
  const cycles = cyclesIn(plans, slug, nodes);
  const [first, ...more] = cycles;
  if (first && more.length === 0 && unknown.length === 0) return first;
  const faults = [...unknown, ...cycles.map(({ detail }) => ({ path: 'nodes', message: detail }))];
  if (faults.length === 0) return undefined;
  return refuseShape(faults, unknown.length > 0 ? 'invalid_request' : first?.code);
}

/** Whether a plan with these nodes, and everything else as it is, stays free of cycles. */
export const checkCycles = (plans: PlanProjection, slug: string, nodes: readonly NodeDocument[]): Refusal | undefined =>
  cyclesIn(plans, slug, nodes)[0];

/** Enough cycles to correct in one go; finding each of them requires a walk over the graph. */
const mostCycles = 10;

function cyclesIn(plans: PlanProjection, slug: string, nodes: readonly NodeDocument[]): Refusal[] {
  const own = new Map(nodes.map((node) => [refKey(node.id, slug), node]));
  const found: Refusal[] = [];
  for (const [key, node] of own) {
    if (found.length < mostCycles && node.dependsOn?.some((ref) => refKey(ref, slug) === key))
      found.push(refuseSelf(node.id));
  }
  const prefix = `${keyOf(slug)}/`;
  const leftOut = new Set<string>();
  const isLeftOut = (key: string, on: string) => leftOut.size > 0 && leftOut.has(`${key} ${on}`);
  const dependsOn: DependsOn = (key) => {
    const refs = own.get(keyOfRef(key))?.dependsOn;
    const keys = refs?.map((ref) => refKey(ref, slug)).filter((on) => on !== key && !isLeftOut(key, on));
    return keys ?? (key.startsWith(prefix) ? [] : dependencyKeysOf(plans, keyOfRef(key)));
  };
  while (found.length < mostCycles) {
    const cycle = findCycle(own.keys(), dependsOn);
    if (!cycle) break;
    found.push(refuseCycle(cycle.map((key) => refOfKey(plans, keyOfRef(key), slug, own))));
    const closing = cycle.findIndex((key, at) => at + 1 < cycle.length && own.has(keyOfRef(key)));
    if (closing < 0) break;
    leftOut.add(`${cycle[closing]} ${cycle[closing + 1]}`);
  }
  return found;
}

function dependencyKeysOf({ graph }: PlanProjection, key: NodeKey): string[] {
  const vertex = graph.find(key);
  return vertex === undefined ? [] : (graph.dependsOn[vertex] ?? []).map((on) => graph.keys[on] ?? '');
}

function refOfKey(plans: PlanProjection, key: NodeKey, slug: string, own: ReadonlyMap<NodeKey, NodeDocument>): string {
  const node = own.get(key);
  if (node) return `${slug}/${node.id}`;
  const vertex = plans.graph.find(key);
  return vertex === undefined ? key : plans.refOf(vertex);
}

/** A reference and where the caller wrote it. */
export type SentRef = { ref: string; path: string };

export const sentRefs = (refs: readonly string[] | null | undefined): SentRef[] =>
  (refs ?? []).map((ref, index) => ({ ref, path: `dependsOn[${index}]` }));

/** Whether one node may depend on these as well. */
export function checkEdges(
  plans: PlanProjection,
  plan: Plan,
  id: string,
  sent: readonly SentRef[],
): Refusal | undefined {
  const key = refKey(id, plan.slug);
  const faults = sent.flatMap(({ ref, path }) =>
    refKey(ref, plan.slug) === key || isKnown(ref, plan.slug, plan.nodes)
      ? []
      : [{ path, message: unknownReference(ref, plan.slug) }],
  );
  if (faults.length > 0) return refuseShape(faults);
  const { graph } = plans;
  for (const { ref } of sent) {
    if (refKey(ref, plan.slug) === key) return refuseSelf(id);
    const from = graph.find(refKey(ref, plan.slug));
    const to = graph.find(key);
    const path = from !== undefined && to !== undefined && pathBetween(from, to, graph.dependsOn);
    if (path) return refuseCycle([`${plan.slug}/${id}`, ...path.map((vertex) => plans.refOf(vertex))]);
  }
  return undefined;
}

const refuseSelf = (id: string): Refusal =>
  refuse('self_dependency', `${id} cannot depend on itself. Leave that reference out.`);

const refuseCycle = (path: readonly string[]): Refusal =>
  refuse('cycle', `This would close a cycle: ${path.join(' -> ')}. Leave one of these edges out.`);

/** The dependencies of a node, by key. */
export type DependsOn = (key: string) => Iterable<string>;

type Frame = { key: string; next: Iterator<string> };

/**
 * The first cycle that can be reached from any of `starts`, as the keys along it with the first one repeated at the end.
 * Uses an explicit stack, so a chain may have any length.
 */
export function findCycle(starts: Iterable<string>, dependsOn: DependsOn): string[] | undefined {
  const finished = new Set<string>();
  const open = new Set<string>();
  const stack: Frame[] = [];
  const enter = (key: string) => {
    open.add(key);
    stack.push({ key, next: dependsOn(key)[Symbol.iterator]() });
  };
  for (const start of starts) {
    if (!finished.has(start)) enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const step = top.next.next();
      if (step.done) {
        stack.pop();
        open.delete(top.key);
        finished.add(top.key);
      } else if (open.has(step.value)) {
        const path = stack.map((frame) => frame.key);
        return [...path.slice(path.indexOf(step.value)), step.value];
      } else if (!finished.has(step.value)) {
        enter(step.value);
      }
    }
  }
  return undefined;
}

/** The path from one vertex to another along `edges`, including both ends. */
export function pathBetween(from: number, to: number, edges: readonly (readonly number[])[]): number[] | undefined {
  const cameFrom = new Map<number, number>([[from, -1]]);
  const stack = [from];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current === to) return pathTo(to, cameFrom);
    for (const next of edges[current] ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, current);
      stack.push(next);
    }
  }
  return undefined;
}

function pathTo(end: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const path: number[] = [];
  for (let current = end; current >= 0; current = cameFrom.get(current) ?? -1) path.push(current);
  return path.reverse();
}
