/** How a kind of file marks our part. */
export type Marks = { begin: string; end: string };

export const markdown: Marks = { begin: '<!-- signalbox:begin -->', end: '<!-- signalbox:end -->' };
export const toml: Marks = { begin: '# signalbox:begin', end: '# signalbox:end' };

/**
 * Puts our part into a text, where it was before or at its end. One line break always precedes it, so that removing both
 * restores the text byte for byte.
 */
export function withSection(text: string | null, marks: Marks, body: string): string {
  const eol = text?.includes('\r\n') ? '\r\n' : '\n';
  const section = `${marks.begin}\n${body.trim()}\n${marks.end}\n`.replaceAll('\n', eol);
  if (text === null) return section;
  const [start, end] = spanOf(text, marks);
  return start >= 0 ? text.slice(0, start) + section + text.slice(end) : text + eol + section;
}

/** Null if the file was created for our part. */
export function withoutSection(text: string | null, marks: Marks): string | null {
  if (text === null) return null;
  const [start, end] = spanOf(text, marks);
  if (start < 0) return text;
  const before = text.slice(0, start).replace(/\r?\n$/, '');
  const after = text.slice(end);
  return start === 0 && after === '' ? null : before + after;
}

/** From the begin mark through the line break after the end mark. */
function spanOf(text: string, { begin, end }: Marks): [number, number] {
  const start = text.indexOf(begin);
  const stop = start < 0 ? -1 : text.indexOf(end, start);
  if (stop < 0) return [-1, -1];
  return [start, stop + end.length + (/^\r?\n/.exec(text.slice(stop + end.length))?.[0].length ?? 0)];
}
