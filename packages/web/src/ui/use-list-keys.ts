import { type RefObject, useRef } from 'react';
import { useKeys } from './use-keys.ts';

/** J and K walk the rows of a list of links; Enter opens one as it does any link. */
export function useListKeys<List extends HTMLElement>(): RefObject<List | null> {
  const list = useRef<List>(null);
  const walk = (by: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(':scope > li > a') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
  };
  useKeys({ j: () => walk(1), k: () => walk(-1) });
  return list;
}
