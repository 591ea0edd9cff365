import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const readyQuery = () =>
  queryOptions({ queryKey: queryKeys.ready, queryFn: () => call('next_ready_nodes', {}) });

const licenceQuery = () => queryOptions({ queryKey: queryKeys.licence, queryFn: () => call('licence', {}) });

export const useReady = () => useQuery(readyQuery());
export const useLicence = () => useQuery(licenceQuery());
