/** Sizes of a drawing in pixels. */
export const card = { least: 180, most: 320, height: 72, inset: 10 } as const;
export const gap = { x: 24, y: 48, slice: 56 } as const;
export const gutter = { label: 132, space: 12 } as const;
export const padding = 12;
export const font = { size: 13, line: 1.25, letter: 7.2 } as const;
export const chapterHeight = 28;
export const headerHeight = 52;
export const track = { inset: 10, spacing: 7 } as const;
const mostLines = 3;

/** Wide enough for the longest label over two lines. */
export function cardWidth(labels: readonly string[]): number {
  const longest = labels.reduce((most, label) => Math.max(most, label.length), 0);
  const wanted = Math.ceil(longest / 2) * font.letter + 2 * card.inset;
  return Math.round(Math.min(card.most, Math.max(card.least, wanted)));
}

/** Breaks a label where a reader would: at spaces, after separators, before the capitals of a compound name. */
export function wrap(label: string, width: number, lines: number = mostLines): string[] {
  const room = Math.max(4, Math.floor((width - 2 * card.inset) / font.letter));
  const pieces = label.split(/(?<=[\s./_-])|(?<=[a-z0-9])(?=[A-Z])/u).flatMap((piece) => chop(piece, room));
  const wrapped = [''];
  for (const piece of pieces) {
    const last = wrapped[wrapped.length - 1] ?? '';
    if ((last + piece.trimEnd()).length <= room) wrapped[wrapped.length - 1] = last + piece;
    else wrapped.push(piece);
  }
  const shown = wrapped.map((line) => line.trim()).filter((line) => line !== '');
  if (shown.length <= lines) return shown;
  const kept = shown.slice(0, lines);
  return [...kept.slice(0, -1), `${(kept.at(-1) ?? '').slice(0, room - 1)}…`];
}

function chop(piece: string, room: number): string[] {
  const letters = [...piece];
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += room) parts.push(letters.slice(at, at + room).join(''));
  return parts;
}
