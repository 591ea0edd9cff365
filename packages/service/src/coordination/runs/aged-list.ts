import { ListPage, listPage, type Paging } from '../../kernel/list.ts';

/** A list that may be stale: REST reports its age in `Age`. */
export class AgedList<Item> extends ListPage<Item> {
  readonly ageMs: number | null;

  constructor(list: ListPage<Item>, ageMs: number | null) {
    super(list.items, list.total, list.offset, list.next);
    this.ageMs = ageMs;
  }
}

export const agedList = <Item>(
  all: readonly Item[],
  page: Paging,
  ageMs: number | null,
  keyOf?: (item: Item) => string,
): AgedList<Item> =>
  new AgedList(
    listPage(all, page, (item) => item, keyOf),
    ageMs,
  );

const ages = new WeakMap<object, number>();

/** Records the age of an answer that is not a list. */
export function withAge<Answer extends object>(answer: Answer, ageMs: number): Answer {
  ages.set(answer, ageMs);
  return answer;
}

function ageOf(answer: object): string | null {
  const ageMs = answer instanceof AgedList ? answer.ageMs : (ages.get(answer) ?? null);
  return ageMs === null ? null : String(Math.floor(ageMs / 1000));
}

/** The header of an answer that may be stale. */
export const age = { age: ageOf };
