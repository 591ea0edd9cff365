import { expect, test } from 'vitest';
import { createSettableClock } from '../../../testing/settable-clock.ts';
import { inBrowser, openPage, serve } from '../../browser/browser.ts';
import { playDay } from '../../coordination/team-day.ts';
import { recordFigure } from '../../rounds.ts';
import { expectWithin } from '../expect-within.ts';

const dayMs = 12 * 60 * 60_000;
const pictures = process.env.SIGNALBOX_PICTURES;

inBrowser('a day of 20 agents and 5,000 events', () => {
  test('is answered within a second, and shown within a second', async () => {
    await using service = await serve({ clock: createSettableClock(Date.now() - dayMs) });
    const { since, claims } = await playDay(service, { agents: 20, rounds: 11, reports: 18 });
    const { body } = await service.call('GET', `/api/activity?since=${since}&kind=report`);
    expect(body.length).toBeGreaterThan(3_900);
    const fastest = async (work: () => Promise<void>): Promise<number> => {
      const times: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const began = performance.now();
        await work();
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    };
    const answered = [];
    for (const path of [`/api/report?since=${since}&lanes=true`, `/api/activity?since=${since}&limit=50`]) {
      answered.push(await fastest(async () => expect((await service.call('GET', path)).status).toBe(200)));
      expectWithin(1_000, answered.at(-1) ?? Number.NaN, path);
    }
    const page = await openPage();
    const bare = await fastest(async () => {
      await page.goto(`${service.url}/repositories`);
      await page.getByRole('heading', { name: 'Repositories' }).waitFor();
    });
    const shown = await fastest(async () => {
      await page.goto(`${service.url}/today?since=${since}`);
      await page.getByRole('group', { name: `20 lanes with ${claims} claims` }).waitFor();
      await page.getByRole('region', { name: 'Feed' }).getByRole('listitem').first().waitFor();
    });
    if (pictures) {
      await page.screenshot({ path: `${pictures}/today-1440.png`, fullPage: true });
      await page.setViewportSize({ width: 390, height: 844 });
      await page.screenshot({ path: `${pictures}/today-390.png`, fullPage: true });
    }
    const ms = [...answered, shown, bare].map(Math.round);
    const figures = `report, feed and page after ${ms.slice(0, 3).join(', ')} ms, a page without any of it after ${ms[3]} ms`;
    process.stdout.write(`${figures}\n`);
    recordFigure('page', `a day of 20 agents and 5,000 events: ${figures}`);
    // The time for loading the page itself depends on the machine.
    expectWithin(1_000, shown - bare, figures);
  });
});
