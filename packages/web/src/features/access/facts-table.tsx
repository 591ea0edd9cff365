import type { KeyboardEvent, ReactNode } from 'react';
import { useIsNarrow } from '../../ui/table.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';

/** Enter on a row activates its link or button. */
function pressRow(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
  // The same key press would otherwise activate the element that a dialog focuses when it opens.
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('a, button')?.click();
}

/** For long texts of a table: they take more lines, so that the columns after them stay in the window. */
export const wrapped = 'inline-block min-w-24 whitespace-normal [overflow-wrap:anywhere] max-[480px]:inline';

/** A plain table for a few hundred rows; J and K move through them. In a narrow window a row is a card, and each fact has its name. */
export function FactsTable({
  label,
  headings,
  rows,
}: {
  label: string;
  headings: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  const list = useListKeys<HTMLDivElement>();
  const isCards = useIsNarrow();
  const line = isCards ? 'flex flex-wrap gap-x-3 gap-y-1 px-4 py-2.5' : 'table-row';
  return (
    <div ref={list} className="panel overflow-x-auto">
      {/* Not a table element: some browsers drop the roles of a table whose rows are drawn as cards. */}
      <div role="table" aria-label={label} className={isCards ? '' : 'table w-full border-collapse'}>
        <div role="rowgroup" className={isCards ? 'sr-only' : 'table-header-group'}>
          <div role="row" className="table-row border-line border-b text-fg-3 text-xs">
            {headings.map((heading) => (
              <div
                role="columnheader"
                key={heading}
                className="table-cell whitespace-nowrap px-3 max-xl:px-2 py-2 align-middle font-medium"
              >
                {heading}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={isCards ? '' : 'table-row-group'}>
          {rows.map(({ key, cells }) => (
            <div
              role="row"
              key={key}
              data-row
              tabIndex={-1}
              onKeyDown={pressRow}
              className={`${line} border-line border-b last:border-0 hover:bg-hover focus:bg-accent-soft focus-visible:outline-offset-[-2px]`}
            >
              {cells.map((cell, column) => (
                <div
                  role="cell"
                  key={headings[column]}
                  className={
                    isCards
                      ? 'min-w-0 break-words'
                      : 'table-cell whitespace-nowrap px-3 max-xl:px-2 py-1.5 align-middle'
                  }
                >
                  {isCards && <span className="text-fg-3 text-xs">{headings[column]} </span>}
                  {cell}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
