import { type RefObject, useRef } from 'react';
import { focusPage } from './place.ts';
import { useKeys } from './use-keys.ts';

const rowSelector = ':scope [data-row], :scope > li > a';

/** J and K move through the rows of a list of links; Enter opens one like any link, Escape leaves the list. */
export function useListKeys<List extends HTMLElement>(): RefObject<List | null> {
  const list = useRef<List>(null);
  const walk = (by: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
    const active = document.activeElement;
    // An action of a row belongs to that row, so the next row follows from there too.
    const at = rows.findIndex((row) => row === active || (row.closest('li, [role=row]')?.contains(active) ?? false));
    rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
  };
  const leave = () => {
    const active = document.activeElement;
    if (active instanceof HTMLElement && list.current?.contains(active)) focusPage();
  };
  useKeys({ j: () => walk(1), k: () => walk(-1), Escape: leave });
  return list;
}
