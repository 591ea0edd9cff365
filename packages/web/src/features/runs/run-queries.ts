import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call, callConsole, callPage, firstPage } from '../../live/call.ts';
import { connection } from '../../live/connection.ts';
import { queryKeys } from '../shared/query-keys.ts';
import type { RunsFilter } from './list/runs-filter.ts';

/** The newest runs: no page reads the whole board. */
export const newestRuns = 500;

export const runsQuery = () =>
  queryOptions({ queryKey: queryKeys.runs, queryFn: () => call('list_runs', { limit: newestRuns }) });

const runsAPage = 100;
const suitesAPage = 50;

/** Without a hub the shown pages are read again, but rarely, because there may be many. */
const refetchInterval = () => (connection.getState().polls ? 5_000 : false);

/** The matching runs, newest first, page by page. */
export const runPagesQuery = (filter: RunsFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.runPages, filter],
    queryFn: ({ pageParam }) => callPage('list_runs', { ...filter, limit: runsAPage, ...pageParam }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? null : { cursor: next }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** The matching suites, each with its last runs, the most recently run first. */
export const suitePagesQuery = ({ tag: _, ...filter }: RunsFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.suites, 'pages', filter],
    queryFn: ({ pageParam }) => callPage('list_suites', { ...filter, limit: suitesAPage, ...pageParam }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? null : { cursor: next }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** How many runs there are, and how many of them are live. */
export const runCountsQuery = () =>
  queryOptions({
    queryKey: [...queryKeys.runPages, 'counts'],
    queryFn: async () => {
      const [all, live] = await Promise.all([
        callPage('list_runs', { limit: 1 }),
        callPage('list_runs', { limit: 1, state: 'running' }),
      ]);
      return { all: all.total, live: live.total };
    },
  });

export const runQuery = (runId: string) =>
  queryOptions({ queryKey: [...queryKeys.run(runId), 'detail'], queryFn: () => callConsole('get_run', { runId }) });

/** Every event of a run as NDJSON text. */
export const readArchive = (runId: string): Promise<string> => call('export_run', { runId, format: 'ndjson' });

export const archiveQuery = (runId: string) =>
  queryOptions({ queryKey: [...queryKeys.run(runId), 'archive'], queryFn: () => readArchive(runId) });

export const useRuns = () => useQuery(runsQuery());
