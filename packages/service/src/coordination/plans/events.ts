import type { Binding } from './binding.ts';
import type { NodeDocument, PlanDocument, PlanSource } from './contract.ts';

export type Change = { from: unknown; to: unknown };
export type Changes = Record<string, Change>;

type Happened<Type extends string, Data> = { type: Type; data: Data };

/** What authors do to a plan; its stream is `plan:<slug>`. */
export type PlanEvent =
  | Happened<'plan_created', { document: PlanDocument; source: PlanSource }>
  | Happened<'plan_changed', { fields: Changes }>
  | Happened<'plan_archived', object>
  | Happened<'plan_restored', object>
  | Happened<'node_added', { node: NodeDocument }>
  | Happened<'node_changed', { id: string; fields: Changes }>
  | Happened<'node_removed', { id: string; ended?: { health: string; reason: string | null } }>
  | Happened<'dependency_added', { node: string; on: string }>
  | Happened<'dependency_removed', { node: string; on: string }>
  | Happened<'node_bound', { id: string; binding: Binding | null }>;

export const planStream = (slug: string): string => `plan:${slug.toLowerCase()}`;

/** Written to whenever an edge is added, so that two hosts cannot close a cycle between them. */
export const graphStream = 'graph';
