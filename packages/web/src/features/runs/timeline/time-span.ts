/** The visible part of the time. */
export type TimeSpan = { from: number; to: number };

const leastMs = 50;

/** Narrower or wider anchor an instant; null once all is seen. */
export function zoomed(shown: TimeSpan, factor: number, anchor: number, whole: TimeSpan): TimeSpan | null {
  const wide = (shown.to - shown.from) * factor;
  if (wide >= whole.to - whole.from) return null;
  if (wide < leastMs) return shown;
  const from = anchor - (anchor - shown.from) * factor;
  return clamped({ from, to: from + wide }, whole);
}

/** Earlier or later, never beyond the run. */
export const moved = (shown: TimeSpan, by: number, whole: TimeSpan): TimeSpan =>
  clamped({ from: shown.from + by, to: shown.to + by }, whole);

function clamped(span: TimeSpan, whole: TimeSpan): TimeSpan {
  const wide = span.to - span.from;
  const from = Math.max(whole.from, Math.min(span.from, whole.to - wide));
  return { from, to: from + wide };
}

/** Moved just far enough that a span is visible. */
export function spanShowing(shown: TimeSpan, { from, to }: TimeSpan, whole: TimeSpan): TimeSpan {
  if (from >= shown.from && to <= shown.to) return shown;
  const middle = (from + to) / 2;
  return moved(shown, middle - (shown.from + shown.to) / 2, whole);
}
