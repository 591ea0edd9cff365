import { chromium } from 'playwright-core';
import { startedProcess } from '../tests/spawn.ts';
import { pace } from './pace.ts';

// An event model of 500 slices in a real browser: how soon its board is drawn, how it scrolls at three sizes, and its
// memory.
const slices = Array.from({ length: 500 }, (_, index) => {
  const type = (name: string) => ({ name, fullName: `Bench.${name}`, assemblyName: 'Bench' });
  return {
    name: `Slice ${index}`,
    chapter: `Chapter ${Math.floor(index / 25)}`,
    pattern: 'Command',
    commandType: type(`Do${index}`),
    handlerType: type(`Do${index}Handler`),
    aggregateTypes: [type(`Aggregate${index % 6}`)],
    emittedEvents: [type(`Done${index}`), type(`Audited${index}`)],
    consumedEvents: [type(`Done${(index + 1) % 500}`), type(`Audited${(index * 7) % 500}`)],
    readModelTypes: [type(`View${index % 40}`)],
    specifications: [{ identity: `Feature/scenario ${index}`, resolvedTypes: [] }],
  };
});
const say = (text: string) => process.stdout.write(`${text}\n`);

await using service = await startedProcess({});
const answer = await fetch(`${service.consoleUrl}/api/event-model/bench`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Bench', slices }),
});
if (answer.status !== 204) throw new Error(await answer.text());
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  for (const zoom of ['0.25', '0.55', '1']) {
    const start = performance.now();
    await page.goto(`${service.url}/event-model?z=${zoom}`);
    await page.getByRole('option').first().waitFor();
    const drawn = Math.round(performance.now() - start);
    const scrolled = await pace(page, `() => { document.querySelector('[role=listbox]').scrollLeft += 40; }`);
    const held = await page.evaluate(
      'Math.round(performance.memory.usedJSHeapSize / 1e6) + " MB, " + document.querySelectorAll("*").length + " elements"',
    );
    say(`at ${zoom}: first draw ${drawn} ms; scroll ${scrolled}; ${held}`);
  }
  say(`nothing: ${await pace(page, '() => undefined')}`);
} finally {
  await browser.close();
}
