import { expect, test } from 'vitest';
import { listPage, type Paging } from './list.ts';

const page = (all: readonly string[], paging: Paging) =>
  listPage(
    all,
    paging,
    (item) => item,
    (item) => item,
  );

test('a cursor continues after the last item of its page, even if earlier items were added or removed', () => {
  const first = page(['e', 'd', 'c', 'b', 'a'], { limit: 2 });
  expect([first.items, first.total, first.next]).toEqual([['e', 'd'], 5, '2.d']);
  const second = page(['g', 'f', 'e', 'd', 'c', 'b', 'a'], { limit: 2, cursor: '2.d' });
  expect([second.items, second.next]).toEqual([['c', 'b'], '6.b']);
  expect(page(['c', 'b', 'a'], { limit: 2, cursor: '2.d' }).items).toEqual(['a']);
  expect(page(['e', 'd', 'c', 'b', 'a'], { limit: 2, cursor: '4.b' }).next).toBeNull();
});

test('a list is whole unless pages are asked for, and a cursor alone gives 500', () => {
  const many = Array.from({ length: 1_200 }, (_, number) => `n${number}`);
  expect([page(many, {}).items.length, page(many, {}).next]).toEqual([1_200, null]);
  expect(page(many, { cursor: '500.n499' }).items.length).toBe(500);
});

test('a cursor that does not come from a page is refused', () => {
  for (const cursor of ['x', '-1', '1e9', '9'.repeat(10), ' 1'])
    expect(() => page(['a'], { cursor })).toThrow(expect.objectContaining({ refusal: expect.anything() }));
});
