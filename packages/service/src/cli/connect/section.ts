/** How a kind of file marks the part that is ours. */
export type Marks = { begin: string; end: string };

export const markdown: Marks = { begin: '<!-- signalbox:begin -->', end: '<!-- signalbox:end -->' };
export const toml: Marks = { begin: '# signalbox:begin', end: '# signalbox:end' };

/**
 * Puts our part into a text, in the place where it was or at its end. One line break goes before it, whether the text ended with
 * one or not, so that taking both out again gives back the text to the byte.
 */
export function withSection(text: string | null, marks: Marks, body: string): string {
  const eol = text?.includes('\r\n') ? '\r\n' : '\n';
  const section = `${marks.begin}\n${body.trim()}\n${marks.end}\n`.replaceAll('\n', eol);
  if (text === null) return section;
  const [start, end] = spanOf(text, marks);
  return start >= 0 ? text.slice(0, start) + section + text.slice(end) : text + eol + section;
}

/** Null when the file was made for our part. */
export function withoutSection(text: string | null, marks: Marks): string | null {
  if (text === null) return null;
  const [start, end] = spanOf(text, marks);
  if (start < 0) return text;
  const before = text.slice(0, start).replace(/\r?\n$/, '');
  const after = text.slice(end);
  return start === 0 && after === '' ? null : before + after;
}

/** From the begin mark to behind the line break after the end mark. */
function spanOf(text: string, { begin, end }: Marks): [number, number] {
  const start = text.indexOf(begin);
  const stop = start < 0 ? -1 : text.indexOf(end, start);
  if (stop < 0) return [-1, -1];
  return [start, stop + end.length + (/^\r?\n/.exec(text.slice(stop + end.length))?.[0].length ?? 0)];
}
