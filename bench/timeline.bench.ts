import { chromium, type Page } from 'playwright-core';
import { richRun } from '../tests/browser/rich-run.ts';
import { startedProcess } from '../tests/spawn.ts';
import { pace } from './pace.ts';

// A run of 50,000 scenarios in sixteen lanes, opened in a real browser: how soon it is drawn, how smoothly its lanes
// zoom and move and its table scrolls, what it holds in memory, and how long a step of its replay takes.
const scenarios = Number(process.argv.find((word) => word.startsWith('--scenarios='))?.slice(12) ?? 50_000);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const runId = 'bench-run';
const say = (text: string) => process.stdout.write(`${text}\n`);

// The work in each frame, as source text that runs in the page.
const canvas = `const canvas = document.querySelector('[role=application] canvas'); const box = canvas.getBoundingClientRect();`;
const zoomLanes = `(n) => { ${canvas} canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: Math.floor(n / 40) % 2 ? 60 : -60, clientX: box.left + 600, clientY: box.top + 100, bubbles: true, cancelable: true })); }`;
const moveLanes = `(n) => { ${canvas} canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: Math.floor(n / 30) % 2 ? -25 : 25, clientX: box.left + 600, clientY: box.top + 100, bubbles: true, cancelable: true })); }`;
const scrollTable = `() => { document.querySelector('[role=grid]').scrollTop += 240; }`;
const twoFrames = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;
const readTimes = `performance.getEntriesByType('resource').filter((e) => e.name.includes('/api/runs/')).map((e) => (e.transferSize / 1e6).toFixed(1) + ' MB in ' + Math.round(e.duration) + ' ms').join(', ')`;

await using service = await startedProcess({ Service__RetentionDays: '0' });
const events = richRun({ runId, start: Date.now() - 3_600_000, scenarios, lanes: 16, steps: 2 });
for (let from = 0; from < events.length; from += 5_000) {
  const body = JSON.stringify({ events: events.slice(from, from + 5_000) });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${service.consoleUrl}/api/ingest`, { method: 'POST', headers, body });
  if (answer.status !== 202) throw new Error(await answer.text());
  await answer.text();
}
say(`${scenarios.toLocaleString('en')} scenarios, ${events.length.toLocaleString('en')} events`);

const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(120_000);
  const start = performance.now();
  await page.goto(`${service.url}/runs/${runId}`);
  await page
    .getByRole('row', { name: /Failed/ })
    .first()
    .waitFor();
  await page.getByRole('application').waitFor();
  say(`first draw: ${Math.round(performance.now() - start)} ms`);
  say(`read: ${await page.evaluate(readTimes)}`);
  await page.evaluate('globalThis.gc?.()');
  say(`heap: ${await heap(page)} MB, ${await page.evaluate('document.querySelectorAll("*").length')} elements`);
  say(`nothing: ${await pace(page, '() => undefined')}`);
  say(`lanes, zoom: ${await pace(page, zoomLanes)}`);
  say(`lanes, move: ${await pace(page, moveLanes)}`);
  say(`table, scroll: ${await pace(page, scrollTable)}`);
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('slider').waitFor();
  await page.getByText('0 of').first().waitFor();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Home']) {
    const from = performance.now();
    await page.getByRole('slider').press(key);
    await page.evaluate(twoFrames);
    say(`replay, ${key}: ${Math.round(performance.now() - from)} ms`);
  }
} finally {
  await browser.close();
}

async function heap(page: Page): Promise<number> {
  return Math.round((await page.evaluate<number>('performance.memory.usedJSHeapSize')) / 1e6);
}
