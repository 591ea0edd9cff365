import { z } from 'zod';

/** Members every list takes. REST gives everything unless asked for less, MCP twenty. */
export const paging = {
  limit: z.int().min(1).optional().describe('At most so many'),
  offset: z.int().min(0).optional().describe('Skip so many'),
};

/** One page of a list. REST sends the items alone; MCP sends `{ items, total, next }`. */
export class ListPage<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly offset: number;

  constructor(items: readonly Item[], total: number, offset: number) {
    this.items = items;
    this.total = total;
    this.offset = offset;
  }
}

type Paging = { limit?: number | undefined; offset?: number | undefined };

/** Cuts the page first and makes views of that page alone. */
export function listPage<Source, Item>(
  all: readonly Source[],
  { limit, offset = 0 }: Paging,
  view: (source: Source) => Item,
): ListPage<Item> {
  const end = limit === undefined ? all.length : offset + limit;
  return new ListPage(all.slice(offset, end).map(view), all.length, offset);
}

/** The output schema of a command that answers a `Listed`; `list` tells REST and MCP to page it. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item).readonly(), total: z.int(), offset: z.int() }).meta({ list: true });
