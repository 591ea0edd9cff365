import { useQuery } from '@tanstack/react-query';
import { callReadiness } from '../../live/call.ts';
import { queryKeys } from './query-keys.ts';

const askMs = 5_000;

/** The conditions that stop the service from working, or soon will; undefined until they are known. */
export const useReadiness = () =>
  useQuery({ queryKey: queryKeys.readiness, queryFn: callReadiness, refetchInterval: askMs, retry: false }).data;
