import type { LucideIcon } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { createStore } from 'zustand/vanilla';

/** An action of the open page; the palette lists it. */
export type PageAction = { label: string; icon: LucideIcon; run: () => void };

const pageActions = createStore<{ byOwner: ReadonlyMap<string, () => readonly PageAction[]> }>(() => ({
  byOwner: new Map(),
}));

export const currentPageActions = (): PageAction[] =>
  [...pageActions.getState().byOwner.values()].flatMap((read) => read());

/** Offers actions while the component is shown. They are read when the palette opens, so they cause no render. */
export function usePageActions(actions: readonly (PageAction | false)[]): void {
  const owner = useId();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const read = () => latest.current.filter((action) => action !== false);
    pageActions.setState(({ byOwner }) => ({ byOwner: new Map(byOwner).set(owner, read) }));
    return () =>
      pageActions.setState(({ byOwner }) => {
        const rest = new Map(byOwner);
        rest.delete(owner);
        return { byOwner: rest };
      });
  }, [owner]);
}
