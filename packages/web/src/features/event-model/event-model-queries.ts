import { queryOptions, useQuery } from '@tanstack/react-query';
import { callConsole } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

const eventModelQuery = () =>
  queryOptions({ queryKey: [...queryKeys.eventModel, 'model'], queryFn: () => callConsole('event_model', {}) });

const coverageQuery = () =>
  queryOptions({ queryKey: [...queryKeys.eventModel, 'coverage'], queryFn: () => callConsole('slice_coverage', {}) });

export const useEventModel = () => useQuery(eventModelQuery());
export const useCoverage = () => useQuery(coverageQuery());
