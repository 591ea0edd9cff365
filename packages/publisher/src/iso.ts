let lastMs = Number.NaN;
let lastText = '';

/** A time as the wire has it. Frameworks report in bursts, and most of a burst is in one millisecond. */
export function iso(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}
