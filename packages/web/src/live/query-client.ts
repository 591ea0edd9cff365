import { QueryClient } from '@tanstack/react-query';
import { connection } from './connection.ts';
import { Problem } from './problem.ts';

const refetchMs = { live: false, polling: 2_000, connecting: 4_000, lost: 4_000 } as const;

/** The cache of everything read from the service; pages subscribe to the queries they show. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The service may be on this machine: there is no reason to wait for a network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: Number.POSITIVE_INFINITY,
      // The hub announces changes; without it the page polls.
      refetchInterval: () => refetchMs[connection.getState().link],
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (count, error) => !(error instanceof Problem && error.status > 0) && count < 2,
    },
  },
});

// A query reads its refetch interval only after an answer, so a lost link must set the options again.
connection.subscribe(({ link }, before) => {
  if (link === before.link) return;
  for (const { observers } of queryClient.getQueryCache().getAll())
    for (const observer of observers) observer.setOptions(observer.options);
});
