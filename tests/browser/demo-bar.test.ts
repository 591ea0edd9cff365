import { expect, test } from 'vitest';
import { signalbox } from '../spawn.ts';
import { inBrowser, openPage } from './browser.ts';

inBrowser('the bar of the demo', () => {
  test('pauses, goes on step by step, leads to the page of each step and to the docs, and restarts', async () => {
    await using demo = signalbox(['demo', '--no-open']);
    const [, address = ''] = await demo.says(/page +(\S+)\n/);
    const paused = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"action":"pause"}' };
    expect((await fetch(new URL('/api/story', address), paused)).status).toBe(200);
    const page = await openPage();
    await page.goto(address);
    const bar = page.getByRole('complementary', { name: 'Demo' });
    const step = async () => Number((await bar.getByText(/^\d+\/\d+$/).textContent())?.split('/')[0]);
    await bar.getByRole('button', { name: 'Resume' }).click();
    await bar.getByRole('button', { name: 'Pause' }).click();
    await bar.getByRole('button', { name: 'Resume' }).waitFor();

    for (let next = (await step()) + 1; next <= 5; next += 1) {
      await bar.getByRole('button', { name: 'Next step' }).click();
      await bar.getByText(`${next}/`).waitFor();
    }
    await bar.getByText('A suite runs, test by test').waitFor();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);

    const opened = page.waitForEvent('popup');
    await bar.getByRole('link', { name: 'Publish the tests of a project' }).click();
    const guide = await opened;
    await guide.getByRole('heading', { level: 1, name: 'Publish the tests of a project' }).waitFor();
    await guide.getByRole('link', { name: 'Vitest' }).click();
    await guide.getByRole('heading', { level: 1, name: 'Publish Vitest runs' }).waitFor();
    await guide.close();

    await bar.getByRole('button', { name: 'Resume' }).click();
    await bar.getByRole('button', { name: 'Pause' }).waitFor();
    await bar.getByRole('button', { name: 'Restart' }).click();
    await expect.poll(step).toBeLessThan(5);
  });
});
