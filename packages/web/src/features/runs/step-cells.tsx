import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { arrangeCells, type Cell, type CellTable, cellText, isPassing } from './cell-table.ts';

const maxRows = 200;

/** The values that a step compared or showed: single values line by line, a table as a table. */
export function StepCells({ columns, cells }: { columns: readonly string[]; cells: readonly Cell[] }) {
  if (cells.length === 0) return null;
  const { loose, table } = arrangeCells(columns, cells);
  return (
    <div className="flex flex-col gap-1 text-sm">
      {loose.length > 0 && (
        <ul aria-label="Values" className="flex flex-col gap-0.5 wrap-anywhere">
          {loose.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place; two may have one name
            <li key={index} className="flex items-baseline gap-2">
              <span className="relative top-0.5">
                <Verdict cell={cell} />
              </span>
              <span className="text-fg-3">{cell.name}</span>
              <Value cell={cell} />
            </li>
          ))}
        </ul>
      )}
      {table.rows.length > 0 && <Rows table={table} />}
    </div>
  );
}

function Rows({ table: { columns, rows } }: { table: CellTable }) {
  return (
    <div tabIndex={0} className="max-h-[320px] overflow-auto rounded-md border border-line">
      <table aria-label="Compared rows" className="w-full border-collapse">
        <thead>
          <tr className="border-line border-b text-left text-fg-3 text-xs">
            <th scope="col" className="px-2 py-1 font-normal">
              Row
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-2 py-1 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map(({ index, verdict, cells }) => (
            <tr key={index} className="border-line border-b align-baseline last:border-b-0">
              <td className="px-2 py-1 text-fg-3">
                {index + 1} {verdict && <RowVerdict cell={verdict} />}
              </td>
              {columns.map((name) => {
                const cell = cells.get(name);
                return (
                  <td key={name} className={`px-2 py-1 ${cell && !isPassing(cell) ? 'tone-fail tint' : ''}`}>
                    {cell && <Value cell={cell} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && (
        <p className="px-2 py-1 text-fg-3">and {countWithNoun(rows.length - maxRows, 'more row')}</p>
      )}
    </div>
  );
}

const Verdict = ({ cell }: { cell: Cell }) => (
  <StateIcon appearance={isPassing(cell) ? appearances.passed : appearances.failed} size={12} />
);

const RowVerdict = ({ cell }: { cell: Cell }) => (
  <span className="tone-fail text-tone-text">
    {cell.name?.replace('-', ' ')}
    {cellText(cell, 'note') && `: ${cellText(cell, 'note')}`}
  </span>
);

/** A value that matched is shown once; otherwise expected and actual are both shown. */
function Value({ cell }: { cell: Cell }) {
  const [expected, actual] = [cellText(cell, 'expected'), cellText(cell, 'actual')];
  const comparison = cellText(cell, 'comparison');
  const plain = cellText(cell, 'note') ?? cellText(cell, 'value');
  if (plain !== null) return <span className="min-w-0 font-mono text-code">{plain}</span>;
  if (isPassing(cell)) return <span className="min-w-0 font-mono text-code">{actual ?? expected}</span>;
  return (
    <span className="grid min-w-0 grid-cols-[auto_auto] justify-start gap-x-2 font-mono text-code">
      <b className="font-medium">Expected</b>
      <span>
        {comparison && comparison !== 'equals' ? `${comparison} ` : ''}
        {expected ?? 'nothing'}
      </span>
      <b className="font-medium">Actual</b>
      <span>{actual ?? 'nothing'}</span>
    </span>
  );
}
