import type { KeyboardEvent, ReactNode } from 'react';
import { useListKeys } from '../../ui/use-list-keys.ts';

/** Enter on a row does what its link or button does. */
function pressRow(event: KeyboardEvent<HTMLTableRowElement>): void {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
  // The same press would activate what a dialog focuses when it opens.
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('a, button')?.click();
}

/** A plain table for a few hundred rows; J and K walk them. */
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
  return (
    <div ref={list} className="panel overflow-x-auto">
      <table aria-label={label} className="w-full border-collapse text-left">
        <thead>
          <tr className="border-line border-b text-fg-3 text-xs">
            {headings.map((heading) => (
              <th key={heading} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr
              key={key}
              data-row
              tabIndex={-1}
              onKeyDown={pressRow}
              className="border-line border-b last:border-0 hover:bg-hover focus:bg-accent-soft focus-visible:outline-offset-[-2px]"
            >
              {cells.map((cell, column) => (
                <td key={headings[column]} className="whitespace-nowrap px-3 py-1.5">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
