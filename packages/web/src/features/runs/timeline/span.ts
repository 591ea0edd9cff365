/** What part of the time is seen. */
export type Span = { from: number; to: number };

const leastMs = 50;

/** Narrower or wider around an instant; null once all is seen. */
export function zoomed(shown: Span, factor: number, around: number, whole: Span): Span | null {
  const wide = (shown.to - shown.from) * factor;
  if (wide >= whole.to - whole.from) return null;
  if (wide < leastMs) return shown;
  const from = around - (around - shown.from) * factor;
  return within({ from, to: from + wide }, whole);
}

/** Earlier or later, never beyond the run. */
export const moved = (shown: Span, by: number, whole: Span): Span =>
  within({ from: shown.from + by, to: shown.to + by }, whole);

function within(span: Span, whole: Span): Span {
  const wide = span.to - span.from;
  const from = Math.max(whole.from, Math.min(span.from, whole.to - wide));
  return { from, to: from + wide };
}

/** Moved just far enough that something is seen. */
export function showing(shown: Span, { from, to }: Span, whole: Span): Span {
  if (from >= shown.from && to <= shown.to) return shown;
  const middle = (from + to) / 2;
  return moved(shown, middle - (shown.from + shown.to) / 2, whole);
}
