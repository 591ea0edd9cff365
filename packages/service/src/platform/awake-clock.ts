/** The clock is read at least this often, so a longer jump means that the whole process was stopped. */
export const readEveryMs = 1_000;
const mostGapMs = 5_000;

/**
 * A clock that stops while the machine sleeps, built from one that does not. Its owner reads it every second:
 * during a longer gap nothing here ran, so nobody could have been heard.
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
