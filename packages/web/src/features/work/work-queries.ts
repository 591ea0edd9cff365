import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const readyQuery = () =>
  queryOptions({
    queryKey: queryKeys.ready,
    queryFn: async () => (await call('next_ready_nodes', { view: 'full' })).filter(isFull).map(asNode),
  });

type Entry = Omit<NodeView, 'claimedBy'> & { claimedBy?: string | null | undefined };

const isFull = (node: object): node is Entry => 'claim' in node;
const asNode = (entry: Entry): NodeView => ({ ...entry, claimedBy: entry.claimedBy ?? null });

const licenceQuery = () => queryOptions({ queryKey: queryKeys.licence, queryFn: () => call('licence', {}) });

export const useReady = () => useQuery(readyQuery());
export const useLicence = () => useQuery(licenceQuery());
