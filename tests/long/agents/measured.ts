import { expect } from 'vitest';
import { isLong, recordFigure } from '../../rounds.ts';

/** Only the whole form, which runs on a quiet machine, fails if it took longer than `mostMs`. */
export function measured(what: string, tookMs: number, mostMs: number): void {
  const figure = `${what}: ${Math.round(tookMs)} ms`;
  process.stdout.write(`${figure}\n`);
  recordFigure('agents', figure);
  if (isLong) expect.soft(tookMs, figure).toBeLessThan(mostMs);
}
