/** The visible part of the timeline. */
export type TimeSpan = { from: number; to: number };

const minMs = 50;

/** Zooms by a factor around an instant; null once the whole run is visible. */
export function zoomed(shown: TimeSpan, factor: number, anchor: number, whole: TimeSpan): TimeSpan | null {
  const length = (shown.to - shown.from) * factor;
  if (length >= whole.to - whole.from) return null;
  if (length < minMs) return shown;
  const from = anchor - (anchor - shown.from) * factor;
  return clamped({ from, to: from + length }, whole);
}

/** Moves it earlier or later, never beyond the run. */
export const moved = (shown: TimeSpan, by: number, whole: TimeSpan): TimeSpan =>
  clamped({ from: shown.from + by, to: shown.to + by }, whole);

function clamped(span: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = span.to - span.from;
  const from = Math.max(whole.from, Math.min(span.from, whole.to - length));
  return { from, to: from + length };
}

/** Moves the visible part so that it shows a span. */
export function spanShowing(shown: TimeSpan, { from, to }: TimeSpan, whole: TimeSpan): TimeSpan {
  if (from >= shown.from && to <= shown.to) return shown;
  const middle = (from + to) / 2;
  return moved(shown, middle - (shown.from + shown.to) / 2, whole);
}
