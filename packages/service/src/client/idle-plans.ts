import type { Api } from '../browser/api.ts';
import type { ClaimCall } from './held-claim.ts';

type Filter = { plan?: string; repository?: string; label?: string };
type Node = Api['plan_status']['output']['nodes'][number];

/** Whether work may still become ready without a person: a claim or a run is in progress, or a proof is observed automatically. */
export async function isUnderWay(call: ClaimCall, filter: Filter): Promise<boolean> {
  const plans = await call('list_plans', {});
  const active = plans.filter(
    ({ slug, counts }) =>
      (filter.plan === undefined || slug.toLowerCase() === filter.plan.toLowerCase()) &&
      counts.claimed + counts.running + counts.submitted > 0,
  );
  for (const { slug } of active) {
    const { nodes } = await call('plan_status', { plan: slug });
    if (nodes.some((node) => isWanted(node, filter) && goesOn(node))) return true;
  }
  return false;
}

const isWanted = ({ repository, labels }: Node, filter: Filter): boolean =>
  (filter.repository === undefined || repository?.toLowerCase() === filter.repository.toLowerCase()) &&
  (filter.label === undefined || labels.some((label) => label.toLowerCase() === filter.label?.toLowerCase()));

const goesOn = ({ status, submission }: Node): boolean =>
  status === 'claimed' || status === 'running' || (status === 'submitted' && (submission?.until ?? null) !== null);

/** The plans in which every node is done. */
export async function donePlans(call: ClaimCall, slugs: ReadonlySet<string>): Promise<string[]> {
  const plans = await call('list_plans', {});
  return plans
    .filter(({ slug, nodes, counts }) => slugs.has(slug) && nodes > 0 && counts.done === nodes)
    .map(({ slug }) => slug);
}
