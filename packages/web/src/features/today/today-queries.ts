import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReportGroup } from 'signalbox/browser/report';
import { call, callPage, firstPage } from '../../live/call.ts';
import { connection } from '../../live/connection.ts';
import { queryKeys } from '../shared/query-keys.ts';

const refetchInterval = () => (connection.getState().polls ? 5_000 : 60_000);
/** The number of entries visible without scrolling. */
const entriesAPage = 25;

export const reportQuery = (since: string, by: ReportGroup) =>
  queryOptions({
    queryKey: [...queryKeys.today, 'report', since, by],
    queryFn: () => call('activity_report', { since, by, lanes: true }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });

/** Events, newest first, page by page. */
export const feedQuery = (since: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.today, 'feed', since],
    queryFn: ({ pageParam }) => callPage('list_activity', { since, limit: entriesAPage, ...pageParam }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? null : { cursor: next }),
    placeholderData: keepPreviousData,
    refetchInterval,
  });
