import { expect, test } from 'vitest';
import { signalbox, startedProcess } from '../spawn.ts';

test('the demo fills both ports, and played again it changes nothing', async () => {
  await using service = await startedProcess();
  const play = async (...args: string[]) => {
    await using demo = signalbox(['demo', '--url', service.url, ...args]);
    expect(await demo.ended).toBe(0);
    return demo.out();
  };
  const read = async (path: string) => (await fetch(`${service.consoleUrl}${path}`)).json();
  const unreachable = 'http://127.0.0.1:9';
  expect(await play('--console', unreachable)).toContain(`left out: Nothing answers at ${unreachable}`);

  await play('--console', service.consoleUrl);
  const runs = await read('/api/runs');
  expect(runs).toMatchObject([
    { runId: 'demo-sdk-unit', state: 'finished', failed: 3, tag: 'platform-sdk/sdk-js' },
    { runId: 'demo-checkout-specs', state: 'finished', failed: 0 },
  ]);
  const [{ finishedAt }] = runs as [{ finishedAt: string }];
  expect(Math.abs(Date.now() - Date.parse(finishedAt))).toBeLessThan(3_600_000);
  const { summary } = (await read('/api/event-model/coverage')) as { summary: Record<string, number> };
  expect(summary.slices).toBe(13);
  expect(summary.verified).toBeGreaterThan(0);
  expect(summary.failing).toBeGreaterThan(0);

  expect(await play('--console', service.consoleUrl)).toContain('run demo-sdk-unit: is there already');
  expect(await read('/api/runs')).toEqual(runs);
});
