import type { Page } from 'playwright-core';

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/**
 * Runs in the page before anything else. `drawn` tells when the first card or the first far picture was painted;
 * `expectPaint` and `paintedAt` time the next change of one card, or of the far picture where there are no cards.
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

/** Frames a second over three seconds, while a wheel turns over the graph or nothing is touched. */
export async function countFrames(page: Page, what: 'pan' | 'idle'): Promise<number> {
  const counted = await page.evaluate(`new Promise((resolve) => {
    const graph = document.querySelector('[role="listbox"]');
    const began = performance.now();
    let frames = 0;
    const next = () => {
      const now = performance.now();
      if (now - began > 3000) return resolve(frames / ((now - began) / 1000));
      frames += 1;
      const forth = Math.floor((now - began) / 750) % 2 === 0 ? 1 : -1;
      if (${what === 'pan'}) graph.dispatchEvent(new WheelEvent('wheel', { shiftKey: true, deltaY: 16 * forth, bubbles: true, cancelable: true }));
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })`);
  return Number(counted);
}
