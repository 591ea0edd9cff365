import { useQuery } from '@tanstack/react-query';
import { ask } from './ask.ts';
import { keys } from './keys.ts';
import { Problem } from './problem.ts';

/** `console`: the run console alone serves these pages, so there are runs and the event model, and no hub. */
export type Mode = 'whole' | 'console';

export async function readMode(): Promise<Mode> {
  try {
    await ask('GET', '/api/licence');
    return 'whole';
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return 'console';
    throw error;
  }
}

export const useMode = () =>
  useQuery({
    queryKey: keys.mode,
    queryFn: readMode,
    retry: false,
    refetchInterval: ({ state }) => (state.data ? false : 2_000),
  });
