import type { StepView } from '../../live/wire.ts';

/** One value that a step checked or showed; the publisher decides its contents. */
export type Cell = StepView['cells'][number];
export type CellRow = { index: number; verdict: Cell | null; cells: ReadonlyMap<string, Cell> };
export type CellTable = { columns: readonly string[]; rows: readonly CellRow[] };

type Report = { title: string | null; columns: string[]; cells: Cell[] };

/** A table that a scenario reported; the publisher decides its contents. */
export const reportOf = ({ title, columns, cells }: Readonly<Record<string, unknown>>): Report => ({
  title: typeof title === 'string' ? title : null,
  columns: Array.isArray(columns) ? columns.filter((column) => typeof column === 'string') : [],
  cells: Array.isArray(cells) ? cells.filter(isCell) : [],
});

const isCell = (value: unknown): value is Cell => typeof value === 'object' && value !== null;

/** Cells with these names judge their whole row. */
const rowVerdictNames = new Set(['missing-row', 'extra-row', 'row-error', 'out-of-order']);

export const cellText = (
  cell: Cell,
  member: 'expected' | 'actual' | 'note' | 'value' | 'comparison',
): string | null => {
  const word = cell[member];
  return typeof word === 'string' && word !== '' ? word : null;
};

export const isPassing = ({ status }: Cell): boolean => !status || status === 'ok' || status === 'success';

const rowOf = ({ rowIndex }: Cell): number => (typeof rowIndex === 'number' ? rowIndex : -1);

/**
 * Cells outside a table, and the cells of the table with their rows in order; declared columns come first, then others
 * in order of appearance.
 */
export function arrangeCells(
  declaredColumns: readonly string[],
  cells: readonly Cell[],
): { loose: Cell[]; table: CellTable } {
  const [loose, inRows] = [cells.filter((cell) => rowOf(cell) < 0), cells.filter((cell) => rowOf(cell) >= 0)];
  const values = inRows.filter(({ name }) => !rowVerdictNames.has(name ?? ''));
  const columns =
    inRows.length === 0 ? [] : [...new Set([...declaredColumns, ...values.map(({ name }) => name ?? '')])];
  const rows = [...Map.groupBy(inRows, rowOf)]
    .sort(([a], [b]) => a - b)
    .map(([index, own]) => ({
      index,
      verdict: own.find(({ name }) => rowVerdictNames.has(name ?? '')) ?? null,
      cells: new Map(own.map((cell) => [cell.name ?? '', cell])),
    }));
  return { loose, table: { columns, rows } };
}
