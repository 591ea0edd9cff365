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

const steps = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000];

const longStep = 7_200_000;

/** The distance between lines of the grid, so that there are never more than a few. */
export const stepFor = (ms: number): number =>
  steps.find((size) => ms / size <= 9) ?? Math.ceil(ms / 9 / longStep) * longStep;

/** An instant of the axis as text, with tenths where lines are less than a second apart. */
export function clock(ms: number, step = 1000): string {
  const seconds = Math.max(0, ms) / 1000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = hours > 0 ? `${hours}:${two((seconds / 60) % 60)}` : `${Math.floor(seconds / 60)}`;
  const text = `${minutes}:${two(seconds % 60)}`;
  return step < 1000 ? `${text}.${Math.floor((ms % 1000) / 100)}` : text;
}
