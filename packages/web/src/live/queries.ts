import { useQuery } from '@tanstack/react-query';
import { ask, at } from './ask.ts';
import { keys } from './keys.ts';
import { shareStatus } from './share.ts';
import type {
  Board,
  HistoryEntry,
  Licence,
  NodeView,
  PlanStatus,
  PlanSummary,
  PlanView,
  Repository,
  RunSummary,
} from './wire.ts';

export const useLicence = () => useQuery({ queryKey: ['licence'], queryFn: () => ask<Licence>('GET', '/api/licence') });

export const usePlans = () =>
  useQuery({ queryKey: [...keys.plans, 'active'], queryFn: () => ask<PlanSummary[]>('GET', '/api/plans') });

export const useArchivedPlans = (enabled: boolean) =>
  useQuery({
    queryKey: keys.archived,
    queryFn: () => ask<PlanSummary[]>('GET', '/api/plans', { query: { archived: true } }),
    enabled,
  });

export const usePlan = (slug: string) =>
  useQuery({ queryKey: [...keys.plan(slug), 'view'], queryFn: () => ask<PlanView>('GET', at`/api/plans/${slug}`) });

export const statusQuery = (slug: string) => ({
  queryKey: [...keys.plan(slug), 'status'],
  queryFn: () => ask<PlanStatus>('GET', at`/api/plans/${slug}/status`),
  structuralSharing: shareStatus,
});

export const usePlanStatus = (slug: string) => useQuery(statusQuery(slug));

export const historyQuery = (slug: string) => ({
  queryKey: [...keys.plan(slug), 'history'],
  queryFn: () => ask<HistoryEntry[]>('GET', at`/api/plans/${slug}/history`),
});

export const usePlanHistory = (slug: string, enabled = true) => useQuery({ ...historyQuery(slug), enabled });

export const useReady = () =>
  useQuery({ queryKey: keys.ready, queryFn: () => ask<NodeView[]>('GET', '/api/plans/ready') });

export const useBoard = () =>
  useQuery({
    queryKey: [...keys.agents, 'board'],
    queryFn: () => ask<Board>('GET', '/api/agents', { query: { since: '7d' } }),
  });

export const useRuns = () => useQuery({ queryKey: keys.runs, queryFn: () => ask<RunSummary[]>('GET', '/api/runs') });

export const useRepositories = () =>
  useQuery({
    queryKey: [...keys.repositories, 'list'],
    queryFn: () => ask<Repository[]>('GET', '/api/repositories'),
  });
