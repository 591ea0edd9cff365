import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { advice, executablePath } from '../tests/browser/chromium.ts';
import { richModel } from '../tests/browser/rich-model.ts';
import { richRun } from '../tests/browser/rich-run.ts';
import { signalbox, startedProcess } from '../tests/spawn.ts';
import { withPalette } from './palette.ts';

// The pictures of the README and the documentation: the real service with the demo, a few runs and a model.
// `npm run screenshots` writes all of them; a name writes that one.
const folder = join(import.meta.dirname, '../docs/images');
const live = '7c1e5a02-0000-4000-8000-000000000001';
const ended = '5b0d4f91-0000-4000-8000-000000000002';
const hour = 3_600_000;
const asked = process.argv.slice(2);

type Shot = { name: string; path: string; ready: string; theme?: 'dark' | 'light' };
// The live run first: it ages while the others are taken.
const shots: readonly Shot[] = [
  { name: 'run', path: `/runs/${live}`, ready: '8 workers' },
  { name: 'plan', path: '/plans/platform-sdk?node=sdk-js', ready: 'Impact' },
  { name: 'failures', path: `/runs/${ended}?view=failures`, ready: 'but was <n>', theme: 'light' },
  { name: 'replay', path: `/runs/${ended}?at=150000`, ready: 'End replay' },
  { name: 'event-model', path: '/event-model?slice=Charge%20the%20card', ready: 'Made of' },
];

await using service = await startedProcess();
await seed();
mkdirSync(folder, { recursive: true });
if (!executablePath) throw new Error(advice);
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--force-color-profile=srgb'],
});
try {
  for (const shot of shots) if (asked.length === 0 || asked.includes(shot.name)) await take(browser, shot);
} finally {
  await browser.close();
}

async function seed(): Promise<void> {
  await using demo = signalbox(['demo', '--into', service.url, '--console', service.consoleUrl]);
  if ((await demo.ended) !== 0) throw new Error(`the demo did not load: ${demo.out()}${demo.err()}`);
  const now = Date.now();
  const day = { suite: 'checkout.specs', branch: 'main' };
  await send('PUT', '/api/event-model/specs', richModel);
  for (const run of [
    { ...day, runId: 'a9c2e1d0-0000-4000-8000-000000000005', start: now - 25 * hour, seed: 11 },
    { ...day, runId: ended, start: now - hour },
    {
      runId: 'd2f0a3b4-0000-4000-8000-000000000003',
      start: now - hour + 60_000,
      seed: 3,
      suite: 'e2e',
      tag: 'nightly',
      scenarios: 90,
      lanes: 2,
    },
    {
      runId: 'e3a1b4c5-0000-4000-8000-000000000004',
      start: now - hour - 90_000,
      seed: 5,
      suite: 'unit',
      scenarios: 200,
      lanes: 4,
    },
    { ...day, runId: live, start: now - 190_000, until: 190_000, seed: 21 },
  ])
    await send('POST', '/api/ingest', { events: richRun(run) });
}

async function send(method: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(service.consoleUrl + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function take(from: Browser, { name, path, ready, theme = 'dark' }: Shot): Promise<void> {
  const context = await from.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(service.url + path);
  await page.getByText(ready).first().waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const picture = withPalette(await page.screenshot({ animations: 'disabled' }));
  await context.close();
  writeFileSync(join(folder, `${name}.png`), picture);
  process.stdout.write(`docs/images/${name}.png: ${Math.round(picture.length / 1024)} KB\n`);
}
