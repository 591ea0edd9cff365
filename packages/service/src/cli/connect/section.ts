/** How a kind of file marks the part that is ours. */
export type Marks = { begin: string; end: string };

export const markdown: Marks = { begin: '<!-- signalbox:begin -->', end: '<!-- signalbox:end -->' };
export const toml: Marks = { begin: '# signalbox:begin', end: '# signalbox:end' };

/** Puts our part into a text, in the place where it was or at its end; everything else stays as it is. */
export function withSection(text: string | null, marks: Marks, body: string): string {
  const section = `${marks.begin}\n${body.trim()}\n${marks.end}\n`;
  const before = text ?? '';
  const [start, end] = rangeOf(before, marks);
  if (start >= 0) return before.slice(0, start) + section + before.slice(end);
  if (before.trim() === '') return section;
  return `${before.endsWith('\n') ? before : `${before}\n`}\n${section}`;
}

/** Takes our part out again, with the empty line that came with it; null when nothing else was there. */
export function withoutSection(text: string | null, marks: Marks): string | null {
  if (text === null) return null;
  const [start, end] = rangeOf(text, marks);
  if (start < 0) return text;
  const rest = text.slice(0, start).replace(/\n\n$/, '\n') + text.slice(end);
  return rest.trim() === '' ? null : rest;
}

function rangeOf(text: string, { begin, end }: Marks): [number, number] {
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  if (start < 0 || stop < 0) return [-1, -1];
  const after = stop + end.length;
  return [start, text[after] === '\n' ? after + 1 : after];
}
