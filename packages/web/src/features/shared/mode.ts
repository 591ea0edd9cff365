import { useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { Problem } from '../../live/problem.ts';
import { queryKeys } from './query-keys.ts';

/** `console`: only the run console serves these pages, so there are runs and the event model, and no hub. */
export type Mode = 'whole' | 'console';

/** The console writes its port into the page, so that the page requests nothing that only the other port answers. */
const isConsole = document.documentElement.dataset.port === 'console';

async function readMode(): Promise<Mode> {
  if (isConsole) {
    // Refused if a token is required.
    await call('list_runs', { limit: 1 });
    return 'console';
  }
  try {
    await call('licence', {});
    return 'whole';
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return 'console';
    throw error;
  }
}

export const useMode = () =>
  useQuery({
    queryKey: queryKeys.mode,
    queryFn: readMode,
    retry: false,
    refetchInterval: ({ state }) => (state.data ? false : 2_000),
  });
