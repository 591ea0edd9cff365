import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import { focusPanel } from './place.ts';
import { type Column, TableHead, templateOf, useTable } from './table.tsx';
import { useKeys } from './use-keys.ts';
import { useRowHeight } from './use-row-height.ts';

const none = {};

type Props<Row> = {
  label: string;
  /** The browser stores the chosen order under this name. */
  name?: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  rowHeight?: number;
  /** Shown if there are no rows. */
  none?: string;
  /** The table is not the main content, so J and K do not lead into it. */
  beside?: boolean;
  selected: string | null;
  onSelect: (key: string) => void;
  onOpen?: (key: string) => void;
  toneOf?: (row: Row) => string | undefined;
};

/** A table that renders only visible rows. It is one stop of the Tab key; arrow keys, J and K move, Enter opens. J and K also focus it. */
export function VirtualTable<Row>(props: Props<Row>) {
  const { label, keyOf, selected, onSelect, onOpen } = props;
  const rowHeight = useRowHeight(props.rowHeight ?? 36);
  const table = useTable(props.name, props.rows, props.columns);
  const { rows, columns, isCards: cards } = table;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [focused, setFocused] = useState(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (cards ? rowHeight * 3 : rowHeight),
    overscan: 8,
  });
  const at = selected === null ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (row) onSelect(keyOf(row));
  };
  const enter = (to: number) => {
    scroller.current?.focus();
    move(to);
  };
  useKeys(props.beside ? none : { j: () => enter(at + 1), k: () => enter(at - 1) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice scrolls, not every change of the rows
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [selected]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 1);
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: at - 1,
      k: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' && selected !== null) (onOpen ?? focusPanel)(selected);
    else return;
    event.preventDefault();
  };
  const template = templateOf(columns);
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-activedescendant={focused && at >= 0 ? `${id}-${at}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        className={`relative overflow-auto focus-visible:outline-offset-[-2px] ${rows.length === 0 ? 'shrink-0' : 'min-h-0 flex-1 max-md:min-h-[240px]'}`}
      >
        <TableHead table={table} />
        <div
          role="rowgroup"
          className={cards ? 'relative' : 'relative min-w-fit'}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <MemoRow
                key={keyOf(row)}
                id={`${id}-${item.index}`}
                row={row}
                index={item.index}
                top={item.start}
                height={cards ? null : rowHeight}
                measure={cards ? virtual.measureElement : undefined}
                template={template}
                columns={columns as readonly Column<unknown>[]}
                selected={item.index === at}
                onSelect={onSelect}
                onOpen={onOpen}
                rowKey={keyOf(row)}
                tone={props.toneOf?.(row)}
              />
            );
          })}
        </div>
      </div>
      {rows.length === 0 && props.none && <p className="px-4 py-10 text-center text-fg-3">{props.none}</p>}
    </>
  );
}

type RowProps = {
  id: string;
  row: unknown;
  rowKey: string;
  index: number;
  top: number;
  /** Null for a card, which is as high as its content. */
  height: number | null;
  measure: ((element: HTMLElement | null) => void) | undefined;
  template: string;
  columns: readonly Column<unknown>[];
  selected: boolean;
  tone: string | undefined;
  onSelect: (key: string) => void;
  onOpen: ((key: string) => void) | undefined;
};

const MemoRow = memo(function TableRow(props: RowProps) {
  const { id, row, rowKey, index, top, height, measure, template, columns, selected, tone, onSelect, onOpen } = props;
  const isCard = height === null;
  const place = { transform: `translateY(${top}px)` };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid, which names the active row
    <div
      id={id}
      ref={measure}
      data-index={index}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      onClick={() => onSelect(rowKey)}
      onDoubleClick={() => onOpen?.(rowKey)}
      className={`absolute inset-x-0 cursor-pointer border-line border-b px-page ${isCard ? 'flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2.5' : 'grid items-center gap-3'} ${
        selected ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'
      } ${tone ?? ''}`}
      style={isCard ? place : { ...place, gridTemplateColumns: template, height }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={`min-w-0 ${isCard ? (column.title ? 'order-first basis-full' : 'empty:hidden') : `truncate ${column.right ? 'text-right' : ''}`}`}
        >
          {isCard && column.labelled && column.cell(row) && <span className="text-fg-3 text-xs">{column.head} </span>}
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
});
