import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

const tokensQuery = () => queryOptions({ queryKey: queryKeys.tokens, queryFn: () => call('list_tokens', {}) });

export type AuditFilter = { name: string; denied: boolean };

/** The audit grows with every write, so it is read again regularly. */
const auditQuery = ({ name, denied }: AuditFilter) =>
  queryOptions({
    queryKey: [...queryKeys.audit, name, denied],
    queryFn: () => call('list_audit', { limit: 200, ...(name && { name }), ...(denied && { denied }) }),
    refetchInterval: 5_000,
    placeholderData: (before) => before,
  });

/** Queued and sent deliveries, read again while the page is open. */
const webhooksQuery = () =>
  queryOptions({ queryKey: queryKeys.webhooks, queryFn: () => call('list_webhooks', {}), refetchInterval: 5_000 });
const deliveriesQuery = (receiver: string | null) =>
  queryOptions({
    queryKey: [...queryKeys.webhooks, receiver],
    queryFn: () => call('list_deliveries', { limit: 100, ...(receiver && { receiver }) }),
    refetchInterval: 5_000,
    placeholderData: (before) => before,
  });

export const useWebhooks = () => useQuery(webhooksQuery());
export const useDeliveries = (receiver: string | null) => useQuery(deliveriesQuery(receiver));
export const useTokens = () => useQuery(tokensQuery());
export const useAudit = (filter: AuditFilter) => useQuery(auditQuery(filter));
