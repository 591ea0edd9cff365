import { useQuery } from '@tanstack/react-query';
import { call } from '../../../live/call.ts';
import type { PlanSummary, RunSummary } from '../../../live/wire.ts';
import { queryKeys } from '../../shared/query-keys.ts';

/** The plans that a failure may go to: first the plan of the run's tag, then plans of its repository. */
export function usePlanChoices({ tag, repositoryName }: RunSummary): readonly PlanSummary[] {
  const plans =
    useQuery({ queryKey: [...queryKeys.plans, 'active'], queryFn: () => call('list_plans', {}) }).data ?? [];
  const rank = ({ slug, repository }: PlanSummary) => {
    if (tag?.startsWith(`${slug}/`)) return 0;
    return repository !== null && repository === repositoryName ? 1 : 2;
  };
  return plans.toSorted((a, b) => rank(a) - rank(b));
}
