import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

export type PastEvent = { key: string; at: number; href: string; text: string };

const shownEvents = 14;

/** The last hour of the team's feed, newest first. Read once, as the start of the live feed. */
const lastHourQuery = () =>
  queryOptions({
    queryKey: queryKeys.lastHour,
    refetchInterval: false,
    queryFn: async (): Promise<readonly PastEvent[]> => {
      const feed = await call('list_activity', { since: '1h', limit: shownEvents });
      return feed.map(({ id, at, href, says }) => ({ key: id, at: Date.parse(at), href, text: says }));
    },
  });

export const useLastHour = (): readonly PastEvent[] => useQuery(lastHourQuery()).data ?? [];
