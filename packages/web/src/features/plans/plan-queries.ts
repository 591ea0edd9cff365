import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import type { Counts, PlanSummary, Simulation } from '../../live/wire.ts';
import { queryKeys } from '../shared/query-keys.ts';
import { shareStatus } from './share-status.ts';
import { type BurnUpLevel, burnUpLevels } from './time/burn-up-levels.ts';

export const plansQuery = () =>
  queryOptions({ queryKey: [...queryKeys.plans, 'active'], queryFn: () => call('list_plans', {}) });

const archivedPlansQuery = () =>
  queryOptions({ queryKey: [...queryKeys.plans, 'archived'], queryFn: () => call('list_plans', { archived: true }) });

const planQuery = (slug: string) =>
  queryOptions({ queryKey: [...queryKeys.plan(slug), 'view'], queryFn: () => call('get_plan', { plan: slug }) });

export const statusQuery = (slug: string) =>
  queryOptions({
    queryKey: [...queryKeys.plan(slug), 'status'],
    queryFn: () => call('plan_status', { plan: slug }),
    structuralSharing: shareStatus,
  });

export const historyQuery = (slug: string) =>
  queryOptions({ queryKey: [...queryKeys.plan(slug), 'history'], queryFn: () => call('plan_history', { plan: slug }) });

/** The history is read again only when the plan's own counts show that the levels changed. */
export const burnUpQuery = ({ slug, nodes, counts }: PlanSummary) =>
  queryOptions({
    queryKey: [...queryKeys.burnUp, slug, nodes, counts.done],
    queryFn: () => readLevels(slug),
    placeholderData: (before: readonly BurnUpLevel[] | undefined) => before,
    refetchInterval: false,
  });

/** Claims are most of a history and do not change the levels, so they are not read. */
async function readLevels(plan: string): Promise<readonly BurnUpLevel[]> {
  const histories = await Promise.all(
    (['authoring', 'evidence'] as const).map((only) => call('plan_history', { plan, only })),
  );
  return burnUpLevels(histories.flat().sort((a, b) => a.sequence - b.sequence));
}

/** The larger the plan, the longer it takes to simulate other fleets and splits. */
const mostNodesPlayedOften = 300;

/** When a plan ends with a number of agents. Simulated again when one of its states changes, and as time passes. */
const simulationQuery = (slug: string, agents: number, counts: Counts, open: number) =>
  queryOptions({
    queryKey: [...queryKeys.simulation, slug, agents, Object.values(counts).join()],
    queryFn: () => call('simulate_plan', { plan: slug, agents, ...(open > mostNodesPlayedOften && { brief: true }) }),
    placeholderData: (before: Simulation | undefined) => before,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

export const useSimulation = (slug: string, agents: number, counts: Counts, open: number) =>
  useQuery({ ...simulationQuery(slug, agents, counts, open), enabled: open > 0 });
export const usePlans = () => useQuery(plansQuery());
export const useArchivedPlans = (enabled: boolean) => useQuery({ ...archivedPlansQuery(), enabled });
export const usePlan = (slug: string) => useQuery(planQuery(slug));
export const usePlanStatus = (slug: string) => useQuery(statusQuery(slug));
export const usePlanHistory = (slug: string, enabled = true) => useQuery({ ...historyQuery(slug), enabled });
