/** Replaces one range of a text; an insertion if `start` is `end`. Positions refer to the text before all edits. */
export type TextEdit = { start: number; end: number; text: string };

const inOrder = (edits: readonly TextEdit[]): TextEdit[] =>
  edits.toSorted((a, b) => a.start - b.start || a.end - b.end);

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let after = '';
  for (const { start, end, text: fresh } of inOrder(edits)) {
    after += text.slice(at, start) + fresh;
    at = end;
  }
  return after + text.slice(at);
}

/** The edits that undo these edits, for the edited text. */
export function inverseOf(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let moved = 0;
  return inOrder(edits).map(({ start, end, text: fresh }) => {
    const at = start + moved;
    moved += fresh.length - (end - start);
    return { start: at, end: at + fresh.length, text: text.slice(start, end) };
  });
}

export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
/** The quotes that a source uses most. */
export const quoteOf = (text: string): string => (text.split('"').length > text.split("'").length ? '"' : "'");
export const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
export const indentUnitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
