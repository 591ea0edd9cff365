import { expect, test } from 'vitest';
import { overlapping } from '../../../../../../testing/overlapping-cards.ts';
import { layeredLayout } from './layout.ts';
import { extentOf } from './view-transform.ts';
import { wrapLongChain } from './wrap-layout.ts';

const chain = (length: number) => {
  const ids = Array.from({ length }, (_, at) => `n${at}`);
  return layeredLayout({ ids, edges: ids.slice(1).map((id, at): [string, string] => [`n${at}`, id]) });
};

test('a chain of 131 steps is drawn in rows that fit a screen, and nothing overlaps', () => {
  const wrapped = wrapLongChain(chain(131));
  const { right, bottom } = extentOf(wrapped);
  expect(right / bottom).toBeGreaterThan(1.2);
  expect(right / bottom).toBeLessThan(2.6);
  expect(overlapping([...wrapped.values()])).toEqual([]);
});

test('a row is read to its end before the next begins', () => {
  const wrapped = wrapLongChain(chain(60));
  const rows = [...wrapped.values()].map(({ x, y }) => ({ x, y }));
  for (const [at, { x, y }] of rows.slice(1).entries()) {
    const before = rows[at] as { x: number; y: number };
    expect(y > before.y || (y === before.y && x > before.x)).toBe(true);
  }
});

test('what is short or as high as it is wide stays as it is', () => {
  const short = chain(8);
  expect(wrapLongChain(short)).toBe(short);
  const ids = Array.from({ length: 300 }, (_, at) => `n${at}`);
  const edges = ids.slice(10).map((id, at): [string, string] => [`n${at}`, id]);
  const wide = layeredLayout({ ids, edges });
  expect(wrapLongChain(wide)).toBe(wide);
});
