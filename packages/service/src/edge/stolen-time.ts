import { readFileSync } from 'node:fs';

/** The ticks of `/proc/stat` are hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;
const stealColumn = 8;

/** For each processor how long a host has run others on it while this machine wanted it, in milliseconds since its start. */
export const stolenIn = (stat: string): number[] =>
  stat
    .split('\n')
    .filter((line) => /^cpu\d/.test(line))
    .map((line) => Number(line.split(' ')[stealColumn] ?? 0) * tickMs);

/** Nothing where the system does not tell. */
export function stolenMs(): number[] {
  try {
    return stolenIn(readFileSync('/proc/stat', 'latin1'));
  } catch {
    return [];
  }
}
