import { ArrowDown, ArrowUp, ChevronDown, Columns3 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useMemo, useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { Menu } from './menu.tsx';
import { rememberChoice, remembered } from './settings.ts';
import { nextOrder, orderRows, type SortValue, type TableOrder } from './table-order.ts';
import { useRowHeight } from './use-row-height.ts';

export type Column<Row> = {
  id: string;
  head: ReactNode;
  /** A track of a CSS grid. */
  width: string;
  cell: (row: Row) => ReactNode;
  right?: boolean;
  /** If set, the column's heading is a button that sorts by this value. */
  sort?: (row: Row) => SortValue;
  /** The first click sorts in descending order, as for counts and times. */
  descendingFirst?: boolean;
  /** Whether a row has a value here; the column is omitted if no row has one. */
  has?: (row: Row) => boolean;
  /** Whether the cell is the first line of a card; later cells share lines. */
  title?: boolean;
  /** On a card the value follows its heading, because a number alone has no meaning. */
  labelled?: boolean;
  /** Omitted in windows narrower than this, in pixels. */
  from?: number;
};

type Choice = { order: TableOrder; hidden: readonly string[] };
const nothingChosen: Choice = { order: null, hidden: [] };

function readChoice(name: string | undefined): Choice {
  try {
    return { ...nothingChosen, ...JSON.parse((name && remembered(`table.${name}`)) || '{}') };
  } catch {
    return nothingChosen;
  }
}

const followWidth = (listener: () => void): (() => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};
const useWindowWidth = (): number => useSyncExternalStore(followWidth, () => window.innerWidth);

/** In a window narrower than this a row is a card: its cells are below each other, and nothing is cut. */
const cardWidth = 480;
export const useIsNarrow = (): boolean => useSyncExternalStore(followWidth, () => window.innerWidth < cardWidth);

/** The rows in the chosen order, and the columns with content. The browser stores the choice under `name`. */
export function useTable<Row>(name: string | undefined, rows: readonly Row[], columns: readonly Column<Row>[]) {
  const [choice, setChoice] = useState(() => readChoice(name));
  const width = useWindowWidth();
  const isCards = useIsNarrow();
  const choose = (change: Partial<Choice>) => {
    const next = { ...choice, ...change };
    setChoice(next);
    if (name) rememberChoice(`table.${name}`, JSON.stringify(next));
  };
  const known = useMemo(() => columns.filter(({ has }) => !has || rows.some(has)), [columns, rows]);
  const shown = useMemo(
    () => known.filter(({ id, from = 0 }) => !choice.hidden.includes(id) && (isCards || width >= from)),
    [known, choice.hidden, width, isCards],
  );
  const ordered = useMemo(() => orderRows(rows, columns, choice.order), [rows, columns, choice.order]);
  return {
    ...{ rows: ordered, columns: shown, known, order: choice.order, hidden: choice.hidden, isCards },
    sortBy: (column: Column<Row>) => choose({ order: nextOrder(choice.order, column) }),
    toggle: (id: string) =>
      choose({
        hidden: choice.hidden.includes(id) ? choice.hidden.filter((one) => one !== id) : [...choice.hidden, id],
      }),
  };
}
export type Table<Row> = ReturnType<typeof useTable<Row>>;

export const templateOf = (columns: readonly { width: string }[]): string =>
  columns.map(({ width }) => width).join(' ');

/** The headings of the columns. They are one stop of the Tab key; arrow keys move along them, Enter sorts. */
export function TableHead<Row>({ table }: { table: Table<Row> }) {
  const { columns, order } = table;
  const stop = columns.find(({ id }) => id === order?.column)?.id ?? columns.find(({ sort }) => sort)?.id;
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const heads: Element[] = [...event.currentTarget.querySelectorAll('button')];
    const at = document.activeElement ? heads.indexOf(document.activeElement) : -1;
    const next = heads[Math.max(0, Math.min(heads.length - 1, at + by))];
    if (next instanceof HTMLElement) next.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div role="rowgroup" className={table.isCards ? 'sr-only' : 'sticky top-0 z-10 min-w-fit bg-bg'}>
      <div
        role="row"
        aria-rowindex={1}
        onKeyDown={walk}
        className="grid min-h-8 items-center gap-3 border-line border-b px-page py-1 text-fg-3 text-xs"
        style={{ gridTemplateColumns: templateOf(columns) }}
      >
        {columns.map((column) => {
          const sorted = order?.column === column.id ? (order.descending ? 'descending' : 'ascending') : undefined;
          const Arrow = sorted === 'descending' ? ArrowDown : ArrowUp;
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={sorted}
              className={`min-w-0 truncate ${column.right ? 'text-right' : ''}`}
            >
              {column.sort ? (
                <button
                  type="button"
                  tabIndex={column.id === stop ? 0 : -1}
                  onClick={() => table.sortBy(column)}
                  className={`inline-flex h-6 max-w-full items-center gap-1 rounded hover:text-fg ${sorted ? 'font-semibold text-fg' : ''}`}
                >
                  <span className="truncate">{column.head}</span>
                  {sorted && <Arrow size={11} className="shrink-0" aria-hidden />}
                </button>
              ) : (
                column.head
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Which columns are shown. */
export function ColumnChoice<Row>({ table }: { table: Table<Row> }) {
  return (
    <Menu
      label={
        <>
          <Columns3 size={14} aria-hidden /> Columns <ChevronDown size={13} aria-hidden className="text-fg-3" />
        </>
      }
    >
      {table.known.slice(1).map(({ id, head }) => (
        <label key={id} className="flex h-7 cursor-pointer items-center gap-2 rounded px-2 hover:bg-hover">
          <input
            type="checkbox"
            checked={!table.hidden.includes(id)}
            onChange={() => table.toggle(id)}
            className="accent-(--accent)"
          />
          {head}
        </label>
      ))}
    </Menu>
  );
}

type LinkTableProps<Row> = {
  label: string;
  table: Table<Row>;
  keyOf: (row: Row) => string;
  hrefOf: (row: Row) => string;
  /** The column whose cell is the link of the row. */
  linkColumn: string;
  /** Attributes of a row, such as the run that it shows. */
  attributesOf?: (row: Row) => Record<`data-${string}`, string>;
};

/** A dense table whose rows are links, for lists that fit a page; `VirtualTable` is for thousands of rows. */
export function LinkTable<Row>({ label, table, keyOf, hrefOf, linkColumn, attributesOf }: LinkTableProps<Row>) {
  const { columns, rows, isCards } = table;
  const template = templateOf(columns);
  const height = useRowHeight(36);
  return (
    <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className={isCards ? '' : 'overflow-x-auto'}>
      <TableHead table={table} />
      <div role="rowgroup" className={isCards ? '' : 'min-w-fit'}>
        {rows.map((row, index) => (
          <div
            key={keyOf(row)}
            role="row"
            aria-rowindex={index + 2}
            {...attributesOf?.(row)}
            className={`relative border-line border-b px-page focus-within:bg-hover hover:bg-hover ${
              isCards ? 'flex flex-wrap gap-x-3 gap-y-0.5 py-2.5' : 'grid items-center gap-3'
            }`}
            style={isCards ? undefined : { gridTemplateColumns: template, height }}
          >
            {columns.map((column) => {
              const isLink = column.id === linkColumn;
              const content = column.cell(row);
              return (
                <div
                  key={column.id}
                  role="cell"
                  className={`min-w-0 ${isCards ? (isLink ? 'order-first basis-full break-words' : 'empty:hidden') : `truncate ${column.right ? 'text-right' : ''}`}`}
                >
                  {isCards && column.labelled && content && <span className="text-fg-3 text-xs">{column.head} </span>}
                  {isLink ? (
                    <Link
                      data-row
                      href={hrefOf(row)}
                      className="rounded font-medium after:absolute after:inset-0 hover:underline"
                    >
                      {content}
                    </Link>
                  ) : (
                    content
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
