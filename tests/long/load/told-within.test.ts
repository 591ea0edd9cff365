import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'vitest';
import { inBrowser, openPage, serve } from '../../browser/browser.ts';
import { cloneDatabase } from '../../postgres/clone.ts';
import { openCuttingProxy } from '../../postgres/cutting-proxy.ts';
import { recordFigure } from '../../rounds.ts';
import { signalbox } from '../../spawn.ts';
import { newMcpClient } from '../../transports.ts';
import { expectWithin } from '../expect-within.ts';

inBrowser('a host that is cut from the database', () => {
  test.each(['cut', 'black hole'])('reports it everywhere within 3 s, and its return too (%s)', async (how) => {
    await using proxy = await openCuttingProxy();
    await using service = await serve({ settings: { Store: proxy.through(await cloneDatabase()), HostName: 'gamma' } });
    await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
    const page = await openPage();
    await page.goto(`${service.url}/ready`);
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
    const banner = page.getByRole('alert').filter({ hasText: 'The database has been unreachable since then' });
    const client = await newMcpClient(service.url);
    const doors = {
      page: async (isAway: boolean) => (await banner.isVisible()) === isAway,
      rest: async (isAway: boolean) =>
        (await service.call('GET', '/api/plans')).headers.has('signalbox-stale-since') === isAway,
      async mcp(isAway: boolean) {
        const { structuredContent } = await client.callTool({ name: 'list_plans', arguments: {} });
        return 'stale' in Object(structuredContent) === isAway;
      },
      async cli(isAway: boolean) {
        await using command = signalbox(['ready'], { SIGNALBOX_SERVICE_URL: service.url }, service.home);
        await command.ended;
        return /The database has been unreachable/.test(command.out() + command.err()) === isAway;
      },
    };
    /** For each interface: after how many milliseconds its answer was first correct. */
    const toldAfter = async (isAway: boolean) => {
      const began = performance.now();
      const asked = Object.entries(doors).map(async ([door, isRight]) => {
        for (;;) {
          const at = performance.now() - began;
          if (await isRight(isAway)) return [door, Math.round(at)] as const;
          await pause(25);
        }
      });
      return Object.fromEntries(await Promise.all(asked));
    };
    if (how === 'cut') proxy.refuse(true);
    else proxy.delay(600_000);
    if (how === 'cut') proxy.cut();
    const away = await toldAfter(true);
    proxy.delay(0);
    proxy.refuse(false);
    proxy.cut();
    const back = await toldAfter(false);
    await client.close();
    const figures = `away after ${JSON.stringify(away)} ms, back after ${JSON.stringify(back)} ms`;
    process.stdout.write(`${how}: ${figures}\n`);
    recordFigure('R7', `a host whose database is gone (${how}): ${figures}`);
    expectWithin(3_000, Math.max(...Object.values(away), ...Object.values(back)), figures);
  });
});
