import { expect, test } from 'vitest';
import { appearances } from '../../../ui/appearance.tsx';
import type { Shape } from './drawing.ts';
import { initialView } from './initial-view.ts';
import { card, layeredLayout } from './layout.ts';
import { isInBox, overview, readableZoom, visibleBox } from './view-transform.ts';
import { wrapLongChain } from './wrap-layout.ts';

const size = { width: 1100, height: 700 };
const ids = Array.from({ length: 131 }, (_, at) => `n${at}`);
const positions = wrapLongChain(
  layeredLayout({ ids, edges: ids.slice(1).map((id, at): [string, string] => [`n${at}`, id]) }),
);
const shapesWith = (ready: string) =>
  new Map(
    ids.map((id): [string, Shape] => [
      id,
      {
        kind: 'other',
        id,
        title: id,
        plan: 'p',
        missing: false,
        appearance: id === ready ? appearances.ready : appearances.blocked,
      },
    ]),
  );
const shows = (view: ReturnType<typeof initialView>, id: string) => {
  const position = positions.get(id);
  return position !== undefined && isInBox(position, visibleBox(view, size, 0));
};

test('a plan of 131 steps opens at its ready node, at a zoom that can be read', () => {
  const view = initialView(shapesWith('n70'), positions, size, null);
  expect(view.k).toBeGreaterThanOrEqual(readableZoom);
  expect(shows(view, 'n70')).toBe(true);
});

test('a link to a node opens at that node', () => {
  const view = initialView(shapesWith('n70'), positions, size, 'n3');
  expect(view.k).toBe(1);
  expect(shows(view, 'n3')).toBe(true);
});

test('what can be read as a whole is shown as a whole', () => {
  const few = layeredLayout({ ids: ['a', 'b'], edges: [['a', 'b']] });
  const view = initialView(shapesWith('a'), few, size, 'b');
  for (const position of few.values()) expect(isInBox(position, visibleBox(view, size, 0))).toBe(true);
});

test('a plan that is too large opens without an empty side, and with no card under the buttons', () => {
  const view = initialView(shapesWith('n0'), positions, size, null);
  const first = positions.get('n0') ?? { x: 0, y: 0 };
  expect(view.x + first.x * view.k).toBeLessThan(60);
  const top = Math.min(...[...positions.values()].map(({ y }) => y));
  expect(view.y + top * view.k).toBeGreaterThanOrEqual(60);
});

test('the overview in the corner covers no card if the drawing can be moved up', () => {
  const cards = Array.from({ length: 56 }, (_, at) => [`n${at}`, Math.floor(at / 7), at % 7] as const);
  const wide = new Map(cards.map(([id, layer, row]) => [id, { x: layer * 240, y: row * 75, layer }]));
  const room = { width: 1190, height: 540 };
  const view = initialView(shapesWith('n0'), wide, room, null);
  expect(view.k).toBeGreaterThanOrEqual(readableZoom);
  const covered = [...wide].filter(
    ([, { x, y }]) =>
      view.x + (x + card.width) * view.k > room.width - overview.width - overview.gap &&
      view.y + (y + card.height) * view.k > room.height - overview.height - overview.gap,
  );
  expect(covered).toEqual([]);
  for (const { y } of wide.values()) expect(view.y + y * view.k).toBeGreaterThanOrEqual(36);
});
