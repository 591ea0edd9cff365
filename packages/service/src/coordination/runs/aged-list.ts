import { Listed, listed } from '../../kernel/list.ts';

/** A list that may not be of this moment: REST says so in `Age`. */
export class AgedList<Item> extends Listed<Item> {
  readonly ageMs: number | null;

  constructor(list: Listed<Item>, ageMs: number | null) {
    super(list.items, list.total, list.offset);
    this.ageMs = ageMs;
  }
}

export const agedList = <Item>(
  all: readonly Item[],
  page: { limit?: number | undefined; offset?: number | undefined },
  ageMs: number | null,
): AgedList<Item> =>
  new AgedList(
    listed(all, page, (item) => item),
    ageMs,
  );

export const ageOf = (answer: unknown): Record<string, string> =>
  answer instanceof AgedList && answer.ageMs !== null ? { age: String(Math.floor(answer.ageMs / 1000)) } : {};
