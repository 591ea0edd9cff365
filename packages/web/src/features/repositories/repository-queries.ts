import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const repositoriesQuery = () =>
  queryOptions({ queryKey: [...queryKeys.repositories, 'list'], queryFn: () => call('list_repositories', {}) });

const repositoryQuery = (owner: string, name: string) =>
  queryOptions({
    queryKey: [...queryKeys.repositories, `${owner}/${name}`.toLowerCase()],
    queryFn: () => call('get_repository', { owner, name }),
  });

/** The results of the previous text stay until the new answer has arrived. */
const memoryQuery = (q: string) =>
  queryOptions({
    queryKey: [...queryKeys.memory, q],
    queryFn: () => call('search_notes', { q, limit: 60 }),
    placeholderData: (before) => before,
  });

export const useRepositories = () => useQuery(repositoriesQuery());
export const useRepository = (owner: string, name: string) => useQuery(repositoryQuery(owner, name));
export const useMemorySearch = (q: string) => useQuery(memoryQuery(q));
