import { recordFigure } from '../../rounds.ts';
import { expectWithin } from '../expect-within.ts';

/** Records how long it took, which the whole form limits. */
export function measured(what: string, tookMs: number, mostMs: number): void {
  const figure = `${what}: ${Math.round(tookMs)} ms`;
  process.stdout.write(`${figure}\n`);
  recordFigure('agents', figure);
  expectWithin(mostMs, tookMs, figure);
}
