import type { Page } from 'playwright-core';

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/**
 * Runs in the page before anything else. `drawn` is the time when the first card or overview was painted;
 * `expectPaint` and `paintedAt` time the next change of one card, or of the overview if there are no cards.
 */
export const watch = `
  let picture = null;
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    clearRect.apply(this, box);
    if (this.canvas.isConnected && this.canvas.clientWidth > 400) picture?.();
  };
  const afterPaint = (tell) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port2.onmessage = tell; port1.postMessage(0); });
  const { promise, resolve } = Promise.withResolvers();
  window.drawn = promise;
  const first = () => afterPaint(() => resolve(performance.now()));
  const look = () => {
    if (document.querySelector('[role="listbox"] [role="option"]:not(.sr-only)')) first();
    else if (picture) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  picture = () => { picture = null; first(); };
  window.expectPaint = (id) => {
    const card = document.querySelector('[role="listbox"] [role="option"][id$="-' + id + '"]:not(.sr-only)');
    const { promise, resolve } = Promise.withResolvers();
    const done = () => afterPaint(() => resolve(Date.now()));
    if (card) {
      const before = card.innerText;
      const watcher = new MutationObserver(() => { if (card.innerText === before) return; watcher.disconnect(); done(); });
      watcher.observe(card, { subtree: true, childList: true, characterData: true, attributes: true });
    } else picture = () => { picture = null; done(); };
    window.paintedAt = () => promise;
    setTimeout(() => resolve(Infinity), 3000);
  };
`;

/** Three seconds of frames: frames per second, and CPU time per frame. */
export type Frames = { rate: number; workMs: number };

/** Work is the CPU time of the page's own thread, which is meaningful on a busy machine too. */
export async function countFrames(page: Page, eachFrame: string): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const before = await worked();
  const counted = (await page.evaluate(`new Promise((resolve) => {
    const graph = document.querySelector('[role="listbox"]');
    const grid = document.querySelector('[role="grid"]');
    const began = performance.now();
    let frames = 0;
    const next = () => {
      const past = performance.now() - began;
      if (past > 3000) return resolve([frames, past]);
      frames += 1;
      const forth = Math.floor(past / 750) % 2 === 0 ? 1 : -1;
      ${eachFrame};
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`)) as [number, number];
  const [frames, ms] = counted;
  const workMs = (((await worked()) - before) * 1000) / frames;
  await session.detach();
  return { rate: frames / (ms / 1000), workMs };
}

export const pan = `graph.dispatchEvent(new WheelEvent('wheel', { shiftKey: true, deltaY: 16 * forth, bubbles: true, cancelable: true }))`;
export const scroll = 'grid.scrollTop += 24 * forth';

/** The middle of several rounds, as one line. */
export function describeFrames(rounds: readonly Frames[]): string {
  const [rate, work] = [median(rounds.map((one) => one.rate)), median(rounds.map(({ workMs }) => workMs))];
  return `${rate.toFixed(1)} fps (45) with ${work.toFixed(1)} ms of work a frame`;
}
