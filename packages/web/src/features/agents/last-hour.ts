import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { paths } from '../../paths.ts';
import { queryKeys } from '../shared/query-keys.ts';

export type PastEvent = { key: string; at: number; plan: string; href: string; text: string };

const hourMs = 3_600_000;
const plansRead = 8;
const shownEvents = 14;

/** The events of the last hour from the histories of the plans, newest first. Read once, to begin the feed. */
const lastHourQuery = () =>
  queryOptions({
    queryKey: queryKeys.lastHour,
    refetchInterval: false,
    queryFn: async (): Promise<readonly PastEvent[]> => {
      const plans = await call('list_plans', {});
      const recent = plans.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, plansRead);
      const histories = await Promise.all(
        recent.map(async ({ slug }) => (await call('plan_history', { plan: slug })).map((entry) => ({ slug, entry }))),
      );
      const since = Date.now() - hourMs;
      return histories
        .flat()
        .map(({ slug, entry }) => ({
          key: `${slug} ${entry.sequence}`,
          at: Date.parse(entry.at),
          plan: slug,
          href: paths.plan(slug),
          text: entry.says,
        }))
        .filter(({ at }) => at >= since)
        .sort((a, b) => b.at - a.at)
        .slice(0, shownEvents);
    },
  });

export const useLastHour = (): readonly PastEvent[] => useQuery(lastHourQuery()).data ?? [];
