import { expect, test } from 'vitest';
import { boardZoom, nextZoom } from './board-zoom.ts';

const board = { width: 6000, height: 1000 };
const room = { width: 1200, height: 700 };

test('a board opens with all of its lanes in view, as long as its texts can be read', () => {
  expect(boardZoom(null, board, { width: 1200, height: 900 })).toBe(0.9);
  expect(boardZoom(null, board, room)).toBe(0.85);
  expect(boardZoom(null, board, { width: 390, height: 200 })).toBe(0.85);
  expect(boardZoom(null, { width: 300, height: 100 }, room)).toBe(1);
});

test('the whole board fits, and a zoom of the address is taken as it is', () => {
  expect(boardZoom('fit', board, room)).toBe(0.2);
  expect(boardZoom('1.5', board, room)).toBe(1.5);
  expect(boardZoom('77', board, room)).toBe(0.85);
});

test('a step leads from a fitted zoom to the next one of the list, and stays at its ends', () => {
  expect(nextZoom(0.63, true)).toBe(0.7);
  expect(nextZoom(0.63, false)).toBe(0.55);
  expect(nextZoom(0.2, false)).toBe(0.2);
  expect(nextZoom(2, true)).toBe(2);
});
