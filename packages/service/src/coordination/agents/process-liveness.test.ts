import { expect, test } from 'vitest';
import type { StartFormat } from '../../platform/process-start.ts';
import { livenessOf } from './process-liveness.ts';

/** The registry's `procStart`, what this system says of the pid (undefined: no such process), the format it speaks. */
const recorded: ReadonlyArray<
  [title: string, procStart: string | null, running: string | null | undefined, own: StartFormat | null, is: string]
> = [
  ['Linux, living', '104101', '104101', 'ticks', 'live'],
  ['Linux, pid given out again', '104101', '998877', 'ticks', 'reused'],
  ['Linux, dead', '104101', undefined, 'ticks', 'dead'],
  ['macOS, living', 'Thu Nov 12 08:31:05 2026', 'Thu Nov 12 08:31:05 2026', 'date', 'live'],
  ['macOS, living, a day of one digit', 'Thu Nov  5 08:31:05 2026', 'Thu Nov 5 08:31:05 2026', 'date', 'live'],
  ['macOS, pid given out again', 'Thu Nov 12 08:31:05 2026', 'Sat Nov 14 10:00:00 2026', 'date', 'reused'],
  ['macOS, dead', 'Thu Nov 12 08:31:05 2026', undefined, 'date', 'dead'],
  ['macOS, ps in a language that cannot be read', 'Thu Nov 12 08:31:05 2026', 'jeu. 12 nov. 08:31:05', 'date', 'live'],
  ['macOS, without ps', 'Thu Nov 12 08:31:05 2026', null, 'date', 'live'],
  ['a Mac, its folder shared with a Linux container', '104101', 'Thu Nov 12 08:31:05 2026', 'date', 'foreign'],
  ['a Linux container that shares a Mac’s folder', 'Thu Nov 12 08:31:05 2026', undefined, 'ticks', 'foreign'],
  ['WSL beside Windows', '134070123456789012', undefined, 'ticks', 'foreign'],
  ['Windows, whose starts are not read', '134070123456789012', null, null, 'live'],
  ['a registry without a start', null, '104101', 'ticks', 'live'],
];

test.each(recorded)('%s', (_, procStart, running, own, is) => {
  const living = new Map(running === undefined ? [] : [[7, running]]);
  expect(livenessOf(7, procStart, { living, own })).toBe(is);
});
