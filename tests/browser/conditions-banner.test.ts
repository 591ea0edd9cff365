import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { wholeRun } from '../hosts/whole-run.ts';
import { inBrowser, openPage, serve } from './browser.ts';

inBrowser('what keeps the service from its work', () => {
  test('is a banner over the open page, with the next step, and goes when it ends', async () => {
    let answer = 404;
    const hook = createServer((request, response) => {
      request.resume();
      response.writeHead(answer).end();
    });
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hook.close());
    const Notify = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
    await using service = await serve({ settings: { Notify } });
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
    const banner = page.getByRole('status').filter({ hasText: 'Signalbox needs attention.' });
    expect(await banner.count()).toBe(0);
    const failRun = (run: string) =>
      service.console('POST', '/api/ingest', { events: wholeRun(run, 'Cart/total', 'Failed') });
    await failRun('r1');
    await banner.getByText('Check the address in Service:Webhooks or Service:Notify').waitFor();
    answer = 200;
    await failRun('r2');
    await banner.waitFor({ state: 'detached' });
  });
});
