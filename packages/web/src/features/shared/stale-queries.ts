import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../../live/query-client.ts';
import { queryKeys } from './query-keys.ts';

/** The keys to read again after a change. The only list: hub messages and the page's own actions both use it. */
export const staleAfter = {
  // A repository shows the plans that touch it and how many of their nodes are open.
  planChange: (slug: string) => [
    queryKeys.plans,
    queryKeys.plan(slug),
    queryKeys.ready,
    queryKeys.repositories,
    queryKeys.needs,
    queryKeys.today,
  ],
  claimChange: (plan: string) => [
    queryKeys.plans,
    queryKeys.plan(plan),
    queryKeys.ready,
    queryKeys.agents,
    queryKeys.memory,
    queryKeys.needs,
    queryKeys.today,
  ],
  agentsChange: () => [queryKeys.agents, queryKeys.needs],
  overlapChange: () => [queryKeys.changes, queryKeys.agents, queryKeys.needs, ['plan']],
  repositoryChange: () => [queryKeys.repositories, queryKeys.memory],
  runStateChange: ({ runId, session }: { runId: string; session: string | null }) => [
    queryKeys.run(runId),
    queryKeys.runPages,
    queryKeys.suites,
    ...(session ? [queryKeys.session(session)] : []),
    queryKeys.needs,
    queryKeys.today,
  ],
  ejection: (runIds: readonly string[]) => [
    queryKeys.runs,
    queryKeys.runPages,
    queryKeys.suites,
    queryKeys.needs,
    ...runIds.map(queryKeys.run),
  ],
  eventModelChange: () => [queryKeys.eventModel],
  missedMessages: () => [[]],
} satisfies Record<string, (...about: never[]) => readonly QueryKey[]>;

/** Reads again what an action of this page changed, without waiting for the hub. */
export async function readAgain(keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
