import type { NodeDocument, PlanDocument } from './contract.ts';
import { keyOf } from './key.ts';
import type { Plan, PlanNode } from './plan.ts';
import { shorten } from './refs.ts';

export type NewPlan = PlanDocument & { plan: string };

/** Ids by key, in the spelling of the plan's nodes. */
type Spelling = { get(key: string): string | undefined };

export const spellingIn = ({ nodes }: Plan): Spelling => ({ get: (key) => nodes.get(key)?.id });

export const spellingOf = (nodes: Iterable<{ id: string }>): ReadonlyMap<string, string> =>
  new Map([...nodes].map(({ id }) => [keyOf(id), id]));

/** References within the plan become short and take their node's spelling; duplicates are removed. */
export function normaliseRefs(refs: readonly string[], slug: string, ids: Spelling): string[] {
  const normalised = new Map<string, string>();
  for (const ref of refs) {
    const short = shorten(ref, slug);
    if (!normalised.has(keyOf(short))) normalised.set(keyOf(short), ids.get(keyOf(short)) ?? short);
  }
  return [...normalised.values()];
}

export function normaliseNode(node: NodeDocument, slug: string, ids: Spelling): NodeDocument {
  return { ...dropEmpty({ ...node, dependsOn: normaliseRefs(node.dependsOn ?? [], slug, ids) }), id: node.id };
}

/** The document without empty members. */
export function normalisePlan(asked: NewPlan): NewPlan {
  const ids = spellingOf(asked.nodes ?? []);
  const { plan, nodes, ...members } = asked;
  return { plan, ...dropEmpty(members), nodes: (nodes ?? []).map((node) => normaliseNode(node, plan, ids)) };
}

const orderedMembers = ({
  id,
  title,
  description,
  repository,
  labels,
  estimateMinutes,
  maxAttempts,
  priority,
  budget,
  touches,
  uses,
  dependsOn,
  binding,
}: PlanNode) => ({
  id,
  title,
  description,
  repository,
  labels: [...labels],
  estimateMinutes,
  maxAttempts,
  priority,
  budget,
  touches: [...touches],
  uses: [...uses],
  dependsOn: [...dependsOn],
  binding,
});

/** A document from which the plan could have been made. */
export function documentOf(plan: Plan): NewPlan {
  const { slug, title, description, repository, maxAttempts, priority, maxClaims, budget, nodes } = plan;
  const members = dropEmpty({ title, description, repository, maxAttempts, priority, maxClaims, budget });
  return {
    plan: slug,
    ...members,
    nodes: [...nodes.values()].map((node) => ({ ...dropEmpty(orderedMembers(node)), id: node.id })),
  };
}

function dropEmpty<Members extends object>(members: Members): Partial<Members> {
  const isEmpty = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && !value.length);
  const kept: Partial<Members> = { ...members };
  for (const name in kept) if (isEmpty(kept[name])) delete kept[name];
  return kept;
}
