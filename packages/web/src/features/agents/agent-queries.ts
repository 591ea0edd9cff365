import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const boardQuery = () =>
  queryOptions({ queryKey: [...queryKeys.agents, 'board'], queryFn: () => call('list_agents', { since: '7d' }) });

const sessionQuery = (sessionId: string) =>
  queryOptions({ queryKey: queryKeys.session(sessionId), queryFn: () => call('get_agent', { sessionId }) });

/** Runs git in the tree, so it is read only on request and never refreshed automatically. */
export const useUnsavedWork = (root: string, wanted: boolean) =>
  useQuery({
    queryKey: queryKeys.unsaved(root),
    queryFn: () => call('unsaved_work', { root }),
    enabled: wanted,
    staleTime: 0,
    refetchInterval: false,
    retry: false,
  });

export const useBoard = () => useQuery(boardQuery());
export const useSession = (sessionId: string) => useQuery(sessionQuery(sessionId));
