import { expect, test } from 'vitest';
import { perFrame } from './hub.ts';

test('what comes within a frame is handed on at once, in order', () => {
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

test('where no frame comes, as in a hidden tab, a timer hands it on, and nothing comes twice', () => {
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
