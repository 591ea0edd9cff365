import type { z } from 'zod';
import type { PlanView, planBrief } from './contract.ts';
import { keyOf } from './key.ts';
import type { Plan } from './plan.ts';

export function viewPlan(plan: Plan): PlanView {
  return {
    slug: plan.slug,
    title: plan.title,
    description: plan.description,
    repository: plan.repository,
    maxAttempts: plan.maxAttempts,
    priority: plan.priority,
    maxClaims: plan.maxClaims,
    budget: plan.budget,
    archived: plan.archivedAt !== null,
    version: plan.version,
    createdAt: plan.createdAt,
    updatedAt: plan.updatedAt,
    source: plan.source,
    nodes: [...plan.nodes.values()].map((node) => ({ ...node })),
    edges: [...plan.nodes.values()].flatMap((node) => node.dependsOn.map((from) => ({ from, to: node.id }))),
    order: orderOf(plan),
  };
}

export function briefPlan({ slug, version, nodes, edges, dryRun }: PlanView): z.output<typeof planBrief> {
  const unbound = nodes.filter(({ binding }) => binding === null).map(({ id }) => id);
  return {
    slug,
    version,
    nodes: nodes.length,
    dependencies: edges.length,
    ...(unbound.length > 0 && { unbound }),
    ...(dryRun && { dryRun }),
  };
}

/** The plan's own nodes, dependencies first, otherwise as authored. */
function orderOf(plan: Plan): string[] {
  const waitingFor = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const [key, node] of plan.nodes) {
    const own = node.dependsOn.map(keyOf).filter((ref) => plan.nodes.has(ref));
    waitingFor.set(key, own.length);
    for (const ref of own) listAt(dependents, ref).push(key);
  }
  const order = [...plan.nodes.keys()].filter((key) => waitingFor.get(key) === 0);
  for (const key of order) {
    for (const dependent of dependents.get(key) ?? []) {
      const left = (waitingFor.get(dependent) ?? 0) - 1;
      waitingFor.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order.map((key) => plan.nodes.get(key)?.id ?? key);
}

function listAt(lists: Map<string, string[]>, key: string): string[] {
  const known = lists.get(key);
  if (known) return known;
  const made: string[] = [];
  lists.set(key, made);
  return made;
}
