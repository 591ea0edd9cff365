import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const readyQuery = () =>
  queryOptions({
    queryKey: queryKeys.ready,
    queryFn: async () => (await call('next_ready_nodes', { view: 'full' })).filter(isFull),
  });

const isFull = (node: object): node is NodeView => 'claim' in node;

const licenceQuery = () => queryOptions({ queryKey: queryKeys.licence, queryFn: () => call('licence', {}) });

export const useReady = () => useQuery(readyQuery());
export const useLicence = () => useQuery(licenceQuery());
