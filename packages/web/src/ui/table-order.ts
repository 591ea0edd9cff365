/** The value that a column is sorted by; missing values come last in both directions. */
export type SortValue = string | number | null | undefined;

/** The order that a person chose; null is the list's own order. */
export type TableOrder = { column: string; descending: boolean } | null;

type Sortable<Row> = { id: string; sort?: ((row: Row) => SortValue) | undefined; descendingFirst?: boolean };

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byText.compare(String(a), String(b));

const isNothing = (value: SortValue): value is null | undefined => value === null || value === undefined;

/** `repo-2` comes before `repo-10`. Equal rows keep the order of the list. */
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

/** The first click sorts, the second reverses the order, the third restores the list's own order. */
export function nextOrder<Row>(order: TableOrder, { id, descendingFirst = false }: Sortable<Row>): TableOrder {
  if (order?.column !== id) return { column: id, descending: descendingFirst };
  return order.descending === descendingFirst ? { column: id, descending: !descendingFirst } : null;
}
