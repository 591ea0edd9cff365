/** What a column is sorted by; nothing comes last in both directions. */
export type SortValue = string | number | null | undefined;

/** The order that a person chose; null is the order of the list itself. */
export type TableOrder = { column: string; descending: boolean } | null;

type Sortable<Row> = { id: string; sort?: ((row: Row) => SortValue) | undefined; descendingFirst?: boolean };

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byText.compare(String(a), String(b));

const isNothing = (value: SortValue): value is null | undefined => value === null || value === undefined;

/** `repo-2` comes before `repo-10`. Rows that are equal keep the order of the list. */
export function orderRows<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  order: TableOrder,
): readonly Row[] {
  const value = order && columns.find(({ id }) => id === order.column)?.sort;
  if (!order || !value) return rows;
  const sign = order.descending ? -1 : 1;
  return rows
    .map((row) => [value(row), row] as const)
    .sort(([a], [b]) => {
      if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b));
      return sign * compare(a, b);
    })
    .map(([, row]) => row);
}

/** One press sorts, the next turns it round, the third gives the order of the list back. */
export function nextOrder<Row>(order: TableOrder, { id, descendingFirst = false }: Sortable<Row>): TableOrder {
  if (order?.column !== id) return { column: id, descending: descendingFirst };
  return order.descending === descendingFirst ? { column: id, descending: !descendingFirst } : null;
}
