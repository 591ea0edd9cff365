import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { queryKeys } from '../shared/query-keys.ts';

export const needsQuery = () => queryOptions({ queryKey: queryKeys.needs, queryFn: () => call('list_needs', {}) });

/** The number of this person's needs; of all needs if this browser has no name. */
export function useMyNeeds(): number | undefined {
  const { data } = useNeeds();
  return data?.mine ?? data?.needs.length;
}

/** What needs a person now. The service decides it; the page only counts and shows. */
export const useNeeds = () => useQuery(needsQuery());
