const second = 1_000;
const minute = 60 * second;

/** The waits after the first attempts; later ones wait `everyMs`. */
const waitsMs = [0, 5 * second, 30 * second, 5 * minute];
const everyMs = 30 * minute;
/** How long a delivery is retried. */
const triedForMs = 24 * 60 * minute;

/** How long to wait after a number of consecutive failures. */
export const waitAfter = (failures: number): number => waitsMs[failures - 1] ?? everyMs;

/** The time of the next attempt; null once it is given up. */
export function nextTry(failures: number, queuedAt: number, now: number): number | null {
  const next = now + waitAfter(failures);
  return next - queuedAt > triedForMs ? null : next;
}
