/** Read at least this often, a clock that jumps further stood still with the whole process. */
export const readEveryMs = 1_000;
const mostGapMs = 5_000;

/**
 * A clock that stands still while the machine sleeps, made of one that does not. Its owner reads it every second:
 * a longer gap between two readings is time in which nothing here ran, and nobody could have been heard.
 */
export function awakeClock(continuous: () => number): () => number {
  let readAt = continuous();
  let slept = 0;
  return () => {
    const now = continuous();
    if (now - readAt > mostGapMs) slept += now - readAt;
    readAt = now;
    return now - slept;
  };
}
