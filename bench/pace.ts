import type { Page } from 'playwright-core';

/** Frames over two seconds while `step` does something in each. */
export function pace(page: Page, step: string): Promise<string> {
  return page.evaluate(`new Promise((resolve) => {
    const step = ${step};
    const times = [];
    let before = performance.now();
    const begin = before;
    const frame = (now) => {
      times.push(now - before);
      before = now;
      if (now - begin > 2000) {
        const sorted = times.slice(1).sort((a, b) => a - b);
        const median = sorted[sorted.length >> 1];
        const p95 = sorted[Math.floor(sorted.length * 0.95)];
        resolve((1000 * sorted.length / sorted.reduce((a, b) => a + b, 0)).toFixed(0) + ' fps, frame median ' + median.toFixed(1) + ' ms, p95 ' + p95.toFixed(1) + ' ms');
        return;
      }
      step(times.length);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
}
