import type { NodeView, PlanView } from '../../live/wire.ts';
import { type BindingDraft, bindingOf, draftOf } from './binding-draft.ts';

/** A node as a form holds it. */
export type NodeDraft = {
  id: string;
  title: string;
  description: string;
  repository: string;
  labels: string;
  estimateMinutes: string;
  priority: string;
  maxAttempts: string;
  budget: string;
  touches: string;
  uses: string;
  dependsOn: readonly string[];
  binding: BindingDraft;
};

export const newDraft = (binding: BindingDraft): NodeDraft => ({
  id: '',
  title: '',
  description: '',
  repository: '',
  labels: '',
  estimateMinutes: '',
  priority: '',
  maxAttempts: '',
  budget: '',
  touches: '',
  uses: '',
  dependsOn: [],
  binding,
});

/** The author's values, where the view of a node shows derived ones. */
export type Written = Pick<PlanView['nodes'][number], 'priority' | 'maxAttempts'>;

export const draftFrom = (node: NodeView, written?: Written): NodeDraft => ({
  id: node.id,
  title: node.title,
  description: node.description ?? '',
  repository: node.repository ?? '',
  labels: node.labels.join(', '),
  estimateMinutes: node.estimateMinutes === null ? '' : String(node.estimateMinutes),
  priority: written?.priority ?? '',
  maxAttempts: String(written?.maxAttempts ?? ''),
  budget: String(node.budget?.tokens ?? ''),
  touches: node.touches.join(', '),
  uses: node.uses.join(', '),
  dependsOn: node.dependsOn.map(({ ref }) => shortened(ref, node.plan)),
  binding: draftOf(node.binding),
});

/** A reference within the same plan is shortened to the id. */
export const shortened = (ref: string, plan: string): string =>
  ref.toLowerCase().startsWith(`${plan.toLowerCase()}/`) ? ref.slice(plan.length + 1) : ref;

export const listIn = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

export const bodyOf = (draft: NodeDraft) => ({
  title: draft.title || null,
  description: draft.description || null,
  repository: draft.repository || null,
  labels: listIn(draft.labels),
  estimateMinutes: draft.estimateMinutes ? Number(draft.estimateMinutes) : null,
  priority: (draft.priority || null) as NodeView['priority'] | null,
  maxAttempts: draft.maxAttempts ? Number(draft.maxAttempts) : null,
  budget: draft.budget ? { tokens: Number(draft.budget) } : null,
  touches: listIn(draft.touches),
  uses: listIn(draft.uses),
  dependsOn: [...draft.dependsOn],
  binding: bindingOf(draft.binding),
});

/** Only what this person changed is sent, so that two people who edit at once do not undo each other's changes. */
export function changesOf(draft: NodeDraft, before: NodeDraft): Partial<ReturnType<typeof bodyOf>> {
  const then: Record<string, unknown> = bodyOf(before);
  const now = Object.entries(bodyOf(draft));
  return Object.fromEntries(now.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name])));
}

/** The node as it can be added again after it was removed. */
export const bodyOfNode = (node: NodeView, written?: Written) => bodyOf(draftFrom(node, written));
