import type { AnyCommand } from './command.ts';
import type { Fault } from './outcome.ts';

type Raw = Readonly<Record<string, unknown>>;

/** Whether a command names a node by its plan and its id. */
export const takesNodeRef = ({ input }: AnyCommand<never>): boolean => 'plan' in input.shape && 'node' in input.shape;

/** `ref: "plan/node"`, or such a text as `node` without a plan, stands for `plan` and `node`. */
export function withNodeRef(command: AnyCommand<never>, raw: Raw): { raw: Raw } | { faults: readonly Fault[] } {
  if (!takesNodeRef(command)) return { raw };
  const { ref, ...others } = raw;
  const short = raw.plan === undefined && typeof raw.node === 'string' && raw.node.includes('/') ? raw.node : undefined;
  const named = ref === undefined || ref === null ? short : ref;
  if (named === undefined) return { raw: ref === null ? others : raw };
  const [, plan, node] = typeof named === 'string' ? (/^([^/]+)\/([^/]+)$/.exec(named) ?? []) : [];
  if (plan === undefined || node === undefined)
    return { faults: [{ path: 'ref', message: 'must have the form plan/node' }] };
  const said = { plan, node };
  const differs = (['plan', 'node'] as const).find(
    (member) => others[member] !== undefined && others[member] !== named && !isSame(others[member], said[member]),
  );
  if (differs) return { faults: [{ path: 'ref', message: `differs from ${differs}; give only one of them` }] };
  return { raw: { ...others, ...said } };
}

/** `slug`, the name of a plan in every answer, stands for `plan` in every call. */
export function withPlanSlug({ input }: AnyCommand<never>, raw: Raw): { raw: Raw } | { faults: readonly Fault[] } {
  if (!('plan' in input.shape) || 'slug' in input.shape || raw.slug === undefined) return { raw };
  const { slug, ...others } = raw;
  const { plan } = others;
  if (plan === undefined || plan === null) return { raw: { ...others, plan: slug } };
  if (typeof slug === 'string' && isSame(plan, slug)) return { raw: others };
  return { faults: [{ path: 'slug', message: 'differs from plan; give only one of them' }] };
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
