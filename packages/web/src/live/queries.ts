import { useQuery } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';
import { apiPath, request } from './request.ts';
import { shareStatus } from './share-status.ts';
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

export const useLicence = () =>
  useQuery({ queryKey: ['licence'], queryFn: () => request<Licence>('GET', '/api/licence') });

export const usePlans = () =>
  useQuery({ queryKey: [...queryKeys.plans, 'active'], queryFn: () => request<PlanSummary[]>('GET', '/api/plans') });

export const useArchivedPlans = (enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.archived,
    queryFn: () => request<PlanSummary[]>('GET', '/api/plans', { query: { archived: true } }),
    enabled,
  });

export const usePlan = (slug: string) =>
  useQuery({
    queryKey: [...queryKeys.plan(slug), 'view'],
    queryFn: () => request<PlanView>('GET', apiPath`/api/plans/${slug}`),
  });

export const statusQuery = (slug: string) => ({
  queryKey: [...queryKeys.plan(slug), 'status'],
  queryFn: () => request<PlanStatus>('GET', apiPath`/api/plans/${slug}/status`),
  structuralSharing: shareStatus,
});

export const usePlanStatus = (slug: string) => useQuery(statusQuery(slug));

export const historyQuery = (slug: string) => ({
  queryKey: [...queryKeys.plan(slug), 'history'],
  queryFn: () => request<HistoryEntry[]>('GET', apiPath`/api/plans/${slug}/history`),
});

export const usePlanHistory = (slug: string, enabled = true) => useQuery({ ...historyQuery(slug), enabled });

export const useReady = () =>
  useQuery({ queryKey: queryKeys.ready, queryFn: () => request<NodeView[]>('GET', '/api/plans/ready') });

export const useBoard = () =>
  useQuery({
    queryKey: [...queryKeys.agents, 'board'],
    queryFn: () => request<Board>('GET', '/api/agents', { query: { since: '7d' } }),
  });

export const useRuns = () =>
  useQuery({ queryKey: queryKeys.runs, queryFn: () => request<RunSummary[]>('GET', '/api/runs') });

export const useRepositories = () =>
  useQuery({
    queryKey: [...queryKeys.repositories, 'list'],
    queryFn: () => request<Repository[]>('GET', '/api/repositories'),
  });
