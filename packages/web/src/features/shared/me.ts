import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../live/call.ts';
import { useWritesRefused } from '../../live/connection.ts';
import type { Me, Scope } from '../../live/wire.ts';
import { queryKeys } from './query-keys.ts';

export const meQuery = () =>
  queryOptions({ queryKey: queryKeys.me, queryFn: () => call('me', {}), retry: false, refetchInterval: false });

/** The identity of this browser; undefined until the service has answered. */
export const useMe = (): Me | undefined => useQuery(meQuery()).data;

/** Attributes for a control that needs a scope: disabled, with the reason, if this browser lacks it or the service is unreachable. */
export function useMay(scope: Scope): { disabled?: true; title?: string } {
  const me = useMe();
  const refused = useWritesRefused();
  if (refused !== null) return { disabled: true, title: refused };
  if (!me || me.scopes.includes(scope)) return {};
  const who = me.name === null ? 'You have' : `You are ${me.name}, with`;
  return { disabled: true, title: `This needs the ${scope} scope. ${who} ${me.scopes.join(', ')}.` };
}
