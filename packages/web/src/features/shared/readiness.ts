import { useQuery } from '@tanstack/react-query';
import { callReadiness } from '../../live/call.ts';
import { queryKeys } from './query-keys.ts';

const askMs = 5_000;

/** What keeps the service from its work, or soon will; undefined until it is known. */
export const useReadiness = () =>
  useQuery({ queryKey: queryKeys.readiness, queryFn: callReadiness, refetchInterval: askMs, retry: false }).data;
