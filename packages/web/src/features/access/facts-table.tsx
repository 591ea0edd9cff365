import type { ReactNode } from 'react';

/** A plain table for a few hundred rows. */
export function FactsTable({
  label,
  headings,
  rows,
}: {
  label: string;
  headings: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  return (
    <div className="panel overflow-x-auto">
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
            <tr key={key} className="border-line border-b last:border-0 hover:bg-hover">
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
