import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, callConsole } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

/** The newest runs: no page reads a whole board. */
export const newestRuns = 500;

export const runsQuery = () =>
  queryOptions({ queryKey: queryKeys.runs, queryFn: () => call('list_runs', { limit: newestRuns }) });

export const runQuery = (runId: string) =>
  queryOptions({ queryKey: [...queryKeys.run(runId), 'detail'], queryFn: () => callConsole('get_run', { runId }) });

/** Every event of a run as NDJSON text. */
export const readArchive = (runId: string): Promise<string> => call('export_run', { runId, format: 'ndjson' });

export const archiveQuery = (runId: string) =>
  queryOptions({ queryKey: [...queryKeys.run(runId), 'archive'], queryFn: () => readArchive(runId) });

export const useRuns = () => useQuery(runsQuery());
