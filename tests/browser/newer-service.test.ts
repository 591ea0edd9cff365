import { expect } from 'vitest';
import { createProject } from '../publishers/project.ts';
import { openConsole } from '../publishers/recording-console.ts';
import { verifies } from '../verifies.ts';
import { inBrowser, openPage, serve } from './browser.ts';
import { ingest, runEvents, runId, seedPlans } from './seed.ts';

/** Adds unknown members to every object of an answer, as a newer service might. */
function newer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(newer);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).map(([name, member]) => [name, newer(member)]);
  return { ...Object.fromEntries(known), inventedLater: { deep: [1, { er: null }] }, 'x-another': 'text' };
}

inBrowser('a service that is newer than its page', () => {
  verifies(
    'json:clients-ignore-unknown',
    'the page shows plans and runs and ignores members that it does not know',
    async () => {
      await using service = await serve();
      await seedPlans(service);
      await ingest(service, runEvents(3));
      const page = await openPage();
      await page.route('**/api/**', async (route) => {
        if ((route.request().headers().accept ?? '').includes('event-stream')) return route.continue();
        const response = await route.fetch();
        const isJson = /[/+]json/.test(response.headers()['content-type'] ?? '');
        if (!isJson) return route.fulfill({ response });
        return route.fulfill({ response, json: newer(await response.json()) });
      });
      await page.goto(`${service.url}/plans/checkout?view=table`);
      await page
        .getByRole('row', { name: /Prices|price|parser/i })
        .first()
        .waitFor();
      await page.goto(`${service.url}/runs/${runId}`);
      await page.getByText('price 0').first().waitFor();
      // Requests in progress are answered before the service stops.
      await page.unrouteAll({ behavior: 'wait' });
    },
  );
});

const script = `import { createPublisher } from 'signalbox-publisher';
const publisher = createPublisher(); publisher.begin();
const test = { uid: 'cart/adds', feature: 'cart', scenario: 'adds', file: null, line: null };
publisher.start(test); publisher.end(test, { state: 'passed' }); await publisher.close();`;

verifies('json:clients-ignore-unknown', 'a publisher ignores members that it does not know', async () => {
  await using console = await openConsole('newer');
  await using project = await createProject({ 'run.js': script }, []);
  const { code } = await project.run(['run.js'], { SIGNALBOX_URL: console.url });
  expect(code).toBe(0);
  expect(console.of('scenario_finished')).toMatchObject([{ uid: 'cart/adds', outcome: 'CleanPass' }]);
  expect(console.of('run_finished')).toHaveLength(1);
});
