/** What a frame or a timer may do; a test passes its own. */
export type Ticker = { frame: (run: () => void) => void; later: (run: () => void, ms: number) => void };

const browser: Ticker = {
  frame: (run) => void requestAnimationFrame(run),
  later: (run, ms) => void setTimeout(run, ms),
};

/**
 * Collects what comes in and hands it on once per animation frame. Frames never come in a hidden tab, so a timer
 * does the same as a fallback.
 */
export function perFrame<Item>(flush: (items: Item[]) => void, ticker: Ticker = browser): (item: Item) => void {
  let waiting: Item[] = [];
  const run = () => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    flush(items);
  };
  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    ticker.frame(run);
    ticker.later(run, 50);
  };
}
