let lastMs = Number.NaN;
let lastText = '';

/** A time in wire format, cached because frameworks report many events in one millisecond. */
export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
