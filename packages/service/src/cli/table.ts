type Cell = string | number | null | undefined;

/** Columns under headings, as wide as they must be; control characters of others never reach the terminal. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string {
  const text = [headings, ...rows].map((row) => row.map((cell) => visible(String(cell ?? ''))));
  const widths = headings.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${text.map(line).join('\n')}\n`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const visible = (text: string): string => text.replace(controlCharacters, '\u00b7');
