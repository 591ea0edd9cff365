import { UserRound } from 'lucide-react';
import { useMe } from '../features/shared/me.ts';

/** The name of this browser's token and what it may do; nothing where nobody is asked who they are. */
export function WhoAmI() {
  const me = useMe();
  if (!me || (!me.tokenAsked && me.name === null)) return null;
  const name = me.name ?? 'Operator';
  const may = me.scopes.includes('admin') ? 'everything' : me.scopes.join(', ');
  return (
    <p
      title={`${name}: ${may}`}
      className="flex h-8 items-center gap-2.5 px-2 text-fg-2 max-lg:justify-center max-lg:px-0"
    >
      <UserRound size={16} className="shrink-0" aria-hidden />
      <span className="min-w-0 truncate max-lg:sr-only">
        <b className="font-medium text-fg">{name}</b> <span className="text-fg-3 text-xs">{may}</span>
      </span>
    </p>
  );
}
