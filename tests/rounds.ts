import { appendFileSync } from 'node:fs';

/** True in `npm run test:long`, which takes hours; its `--short` form and `npm test` do fewer rounds. */
export const isLong = process.env.SIGNALBOX_LONG === 'whole';

/** True in `npm test`, false in both forms of the long tests. */
export const isGate = process.env.SIGNALBOX_LONG === undefined;

/** The number of rounds of the short and of the whole form. */
export const rounds = (short: number, whole: number): number => (isLong ? whole : short);

/** Adds a measurement to the table of figures in `docs/faults.md`, under the row of its fault or attack. */
export function recordFigure(row: string, text: string): void {
  if (process.env.SIGNALBOX_FIGURES)
    appendFileSync(process.env.SIGNALBOX_FIGURES, `${JSON.stringify({ row, text })}\n`);
}
