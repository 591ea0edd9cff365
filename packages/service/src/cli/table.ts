import { styleText } from 'node:util';

type Cell = string | number | null | undefined;
type Paint = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** Colours only on a terminal, and not with NO_COLOR. */
export const paint = (style: Paint, text: string): string => styleText(style, text, { stream: process.stdout });

/** The colour of a word in a cell. */
const styles: Readonly<Record<string, Paint>> = {
  done: 'green',
  passed: 'green',
  ready: 'cyan',
  running: 'cyan',
  claimed: 'yellow',
  submitted: 'cyan',
  stalled: 'yellow',
  idle: 'yellow',
  failed: 'red',
  orphaned: 'red',
  gone: 'dim',
  blocked: 'dim',
};

/** Columns under headings, as wide as needed; control characters never reach the terminal. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string {
  const text = [headings, ...rows].map((row) => row.map((cell) => visible(String(cell ?? ''))));
  const widths = headings.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], index: number) =>
    row
      .map((cell, column) => painted(cell, column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0), index))
      .join('  ')
      .trimEnd();
  return `${text.map(line).join('\n')}\n`;
}

function painted(cell: string, padded: string, row: number): string {
  if (row === 0) return paint('dim', padded);
  const style = styles[cell.split(' ', 1)[0] ?? ''];
  return style === undefined ? padded : paint(style, padded);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const visible = (text: string): string => text.replace(controlCharacters, '\u00b7');

/** Prints an answer: as JSON with `--json`, otherwise as text. */
export const printAnswer = (json: boolean | undefined, answer: unknown, text: () => string): void =>
  void process.stdout.write(json ? jsonText(answer) : text());

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
