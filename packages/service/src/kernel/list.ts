import { z } from 'zod';
import { RefusedError, refuseShape } from './outcome.ts';

/** Members that every list accepts. Without them REST returns everything, MCP twenty items. */
export const paging = {
  limit: z.int().min(1).optional(),
  offset: z.int().min(0).optional(),
  cursor: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Cursor from the Link of the previous page')
    .meta({ 'x-restOnly': true }),
};

/** Default page size for a cursor without a limit. */
const cursorPage = 500;

/** One page of a list. REST sends the items, and `next` as a Link; MCP sends `{ items, total, next }`. */
export class ListPage<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly offset: number;
  /** Cursor of the next page; null if there is none, or if the caller did not ask for pages. */
  readonly next: string | null;

  constructor(items: readonly Item[], total: number, offset: number, next: string | null = null) {
    this.items = items;
    this.total = total;
    this.offset = offset;
    this.next = next;
  }
}

export type Paging = { limit?: number | undefined; offset?: number | undefined; cursor?: string | undefined };

/**
 * Cuts the page first and makes views of that page only. With `keyOf` a cursor refers to the last item of its page, so
 * it stays correct if items are inserted before it.
 */
export function listPage<Source, Item>(
  all: readonly Source[],
  { limit, offset = 0, cursor }: Paging,
  view: (source: Source) => Item,
  keyOf?: (source: Source) => string,
): ListPage<Item> {
  const start = cursor === undefined ? offset : startAfter(all, cursor, keyOf);
  const size = limit ?? (cursor === undefined ? undefined : cursorPage);
  const end = size === undefined ? all.length : start + size;
  const last = all[end - 1];
  const next = end < all.length && last !== undefined ? cursorAt(end, keyOf?.(last)) : null;
  return new ListPage(all.slice(start, end).map(view), all.length, start, next);
}

const cursorAt = (end: number, key: string | undefined): string => (key === undefined ? `${end}` : `${end}.${key}`);

function startAfter<Source>(all: readonly Source[], cursor: string, keyOf?: (source: Source) => string): number {
  const [end = ''] = cursor.split('.', 1);
  if (!/^\d{1,9}$/.test(end)) {
    const fault = { path: 'cursor', message: 'must be a cursor from the Link of the previous page' };
    throw new RefusedError(refuseShape([fault]));
  }
  const key = cursor.slice(end.length + 1);
  const found = keyOf && key !== '' ? all.findIndex((source) => keyOf(source) === key) : -1;
  return found >= 0 ? found + 1 : Number(end);
}

/** The output schema of a command that answers a `ListPage`; REST and MCP page it by `list`. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item).readonly(), total: z.int(), offset: z.int() }).meta({ list: true });
