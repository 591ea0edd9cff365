import { z } from 'zod';
import type { YieldIfBusy } from '../event-loop/task.ts';
import { valuesIn } from './count-values.ts';
import type { Fault } from './outcome.ts';
import { faultsOf } from './shape.ts';

/** So much is checked between two turns of the event loop. */
const valuesPerTurn = 3_000;

export type LongList<Item> = {
  /** The member of `document` that the list is. */
  member: string;
  item: z.ZodType<Item>;
  /** Knows the members that a misspelled one may have meant. */
  document: z.ZodType;
  mostItems: number;
  /** Of one item. */
  mostValues: number;
  /** So many values does one item count for at least: also members that it has not are looked for. */
  leastValues?: number;
};

/**
 * Reads a long list of a document while others have their turn. Of faults it tells those of the first items that have
 * any: to find them all could take seconds. Undefined where the list is short, or none: the schema reads that.
 */
export async function readList<Item>(
  list: unknown,
  shape: LongList<Item>,
  yieldIfBusy: YieldIfBusy,
): Promise<{ items: Item[] } | { faults: Fault[] } | undefined> {
  if (!Array.isArray(list)) return undefined;
  const { member, mostItems, mostValues, leastValues = 1 } = shape;
  if (list.length > mostItems) return { faults: [{ path: member, message: `must be at most ${mostItems}` }] };
  const items: Item[] = [];
  let values = 0;
  for (let at = 0; at < list.length; at += 1) {
    const own = valuesIn(list[at], mostValues);
    if (own > mostValues) {
      return { faults: [{ path: `${member}[${at}]`, message: `has more than ${mostValues} values` }] };
    }
    values += Math.max(own, leastValues);
    if (values < valuesPerTurn) continue;
    const faults = readBetween(list, shape, items, at + 1);
    if (faults.length > 0) return { faults };
    await yieldIfBusy();
    values = 0;
  }
  if (items.length === 0) return undefined;
  const faults = readBetween(list, shape, items, list.length);
  return faults.length > 0 ? { faults } : { items };
}

/** Adds the items up to `to` to those that were read. */
function readBetween<Item>(list: readonly unknown[], shape: LongList<Item>, items: Item[], to: number): Fault[] {
  const { member, item, document } = shape;
  const from = items.length;
  const { data, error } = z.array(item).safeParse(list.slice(from, to), { reportInput: true });
  if (!error) {
    for (const one of data) items.push(one);
    return [];
  }
  const issues = error.issues.map((issue) => {
    const [index, ...rest] = issue.path;
    return { ...issue, path: [member, from + Number(index), ...rest] };
  });
  const unchecked = list.length - to;
  return [
    ...faultsOf({ issues }, document),
    ...(unchecked > 0 ? [{ path: member, message: `${unchecked} more were not checked yet` }] : []),
  ];
}
