import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { keyOfRef, type NodeRef, nodeRef, partsOfRef, planOf } from '../../kernel/streams.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import type { PlanEvent } from './events.ts';
import { Graph, type SavedGraph } from './graph.ts';
import { keyOf } from './key.ts';
import { evolve, type Plan, type PlanNode, planFrom } from './plan.ts';
import { parseRef, refKey, refText } from './refs.ts';

type SavedPlans = { plans: Map<string, Plan>; graph: SavedGraph };

/** Every plan, including archived ones, and the one graph that they form. */
export class PlanProjection implements Projection {
  readonly graph = new Graph();
  #plans = new Map<string, Plan>();

  find(slug: string): Plan | undefined {
    return this.#plans.get(keyOf(slug));
  }

  all(): IterableIterator<Plan> {
    return this.#plans.values();
  }

  get size(): number {
    return this.#plans.size;
  }

  /** The vertex of a node; created if the node does not exist yet. */
  vertex(plan: string, node: string): number {
    const written = refText({ plan, node });
    return this.graph.vertex(keyOfRef(written), written);
  }

  /** A ref in the spelling of its plan and node, if they are known. */
  refOf(vertex: number): NodeRef {
    return this.graph.refs[vertex] ?? nodeRef('', '');
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'plan')) return;
    if (event.type === 'plan_created') {
      this.#create(event);
      return;
    }
    const plan = this.find(planOf(event) ?? '');
    if (!plan) return;
    const before = nodeOfEvent(plan, event);
    evolve(plan, event, event);
    this.#updateGraph(plan, event, before);
  }

  reset(): void {
    this.#plans.clear();
    this.graph.clear();
  }

  save(): SavedPlans {
    return { plans: this.#plans, graph: this.graph.save() };
  }

  load({ plans, graph }: SavedPlans): void {
    this.#plans = plans;
    this.graph.load(graph, (key) => {
      const { plan: slug, node } = partsOfRef(key);
      const plan = plans.get(slug);
      return { plan, node: plan?.nodes.get(node) };
    });
  }

  #create(event: Extract<StoredEvent<'plan'>, { type: 'plan_created' }>): void {
    const { document, source } = event.data;
    const plan = planFrom(document, document.plan ?? planOf(event) ?? '', source, event);
    this.#plans.set(keyOf(plan.slug), plan);
    for (const node of plan.nodes.values()) this.#add(plan, node, event.sequence);
    for (const node of plan.nodes.values()) this.#connect(plan, node);
  }

  #add(plan: Plan, node: PlanNode, sequence: number): void {
    this.graph.setNode(this.vertex(plan.slug, node.id), plan, node, sequence);
  }

  #connect(plan: Plan, node: PlanNode): void {
    const dependent = this.vertex(plan.slug, node.id);
    for (const ref of node.dependsOn) this.graph.addEdge(this.#referencedVertex(plan, ref), dependent);
  }

  #referencedVertex(plan: Plan, ref: string): number {
    return this.graph.vertex(refKey(ref, plan.slug), refText(parseRef(ref, plan.slug)));
  }

  #updateGraph(plan: Plan, event: StoredEvent<'plan'>, node: PlanNode | undefined): void {
    switch (event.type) {
      case 'node_added': {
        const added = plan.nodes.get(keyOf(event.data.node.id));
        if (added) this.#add(plan, added, event.sequence);
        if (added) this.#connect(plan, added);
        return;
      }
      case 'node_removed':
        if (node) this.graph.removeNode(this.vertex(plan.slug, node.id));
        return;
      case 'dependency_added':
        if (node) this.graph.addEdge(this.#referencedVertex(plan, event.data.on), this.vertex(plan.slug, node.id));
        return;
      case 'dependency_removed':
        if (node) this.graph.removeEdge(this.#referencedVertex(plan, event.data.on), this.vertex(plan.slug, node.id));
        return;
      case 'node_changed':
      case 'node_bound':
        if (node) this.graph.observer.nodeChanged(this.vertex(plan.slug, node.id));
        return;
      case 'plan_changed':
        if ('priority' in event.data.fields) this.#allChanged(plan);
        return;
      case 'plan_archived':
      case 'plan_restored':
        this.#allChanged(plan);
        return;
      case 'node_split': {
        const parts = event.data.nodes.flatMap(({ id }) => plan.nodes.get(keyOf(id)) ?? []);
        for (const part of parts) this.#add(plan, part, event.sequence);
        for (const part of parts) this.#connect(plan, part);
        if (!node) return;
        const vertex = this.vertex(plan.slug, node.id);
        for (const part of parts) this.graph.addEdge(this.vertex(plan.slug, part.id), vertex);
      }
    }
  }

  #allChanged(plan: Plan): void {
    for (const each of plan.nodes.values()) this.graph.observer.nodeChanged(this.vertex(plan.slug, each.id));
  }
}

function nodeOfEvent(plan: Plan, { data }: PlanEvent): PlanNode | undefined {
  if ('id' in data) return plan.nodes.get(keyOf(data.id));
  return 'on' in data ? plan.nodes.get(keyOf(data.node)) : undefined;
}
