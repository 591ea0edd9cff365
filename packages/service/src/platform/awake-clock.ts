/** The clock is read at least this often, so a longer jump means that the whole process was stopped. */
export const readEveryMs = 1_000;
const mostGapMs = 5_000;

/**
 * A clock that stops while the machine sleeps, built from a clock that does not. It is read every second: during a
 * longer gap this process did not run, so it could not receive anything.
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
