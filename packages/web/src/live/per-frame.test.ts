import { expect, test } from 'vitest';
import { perFrame } from './hub.ts';

test('everything within one frame is passed on together, in order', () => {
  const frames: (() => void)[] = [];
  const flushed: number[][] = [];
  const take = perFrame<number>((items) => flushed.push(items), {
    frame: (run) => frames.push(run),
    later: () => undefined,
  });
  take(1);
  take(2);
  expect(flushed).toEqual([]);
  for (const run of frames.splice(0)) run();
  take(3);
  for (const run of frames.splice(0)) run();
  expect(flushed).toEqual([[1, 2], [3]]);
});

test('without frames, as in a hidden tab, a timer passes everything on, and nothing twice', () => {
  const later: (() => void)[] = [];
  const frames: (() => void)[] = [];
  const flushed: number[][] = [];
  const take = perFrame<number>((items) => flushed.push(items), {
    frame: (run) => frames.push(run),
    later: (run) => later.push(run),
  });
  take(1);
  for (const run of [...later, ...frames]) run();
  expect(flushed).toEqual([[1]]);
});
