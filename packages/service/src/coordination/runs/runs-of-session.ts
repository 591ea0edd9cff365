import type { RunSummary } from './contract.ts';
import type { RunSource } from './ports.ts';

/** The runs that name a session as their starter. */
export const runsOfSession =
  (runs: Pick<RunSource, 'list'>) =>
  async (sessionId: string): Promise<RunSummary[]> => {
    const listed = await runs.list();
    return listed.runs.filter(({ session }) => session?.toLowerCase() === sessionId);
  };
