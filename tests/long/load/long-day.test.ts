import { expect, test } from 'vitest';
import { playDay } from '../../coordination/team-day.ts';
import { start } from '../../start.ts';

test('the report of a day of 20 agents and 5,000 events is answered within a second', async () => {
  await using service = await start();
  const { since } = await playDay(service, { agents: 20, rounds: 11, reports: 18 });
  const took = async (path: string): Promise<number> => {
    const began = performance.now();
    expect((await service.call('GET', path)).status).toBe(200);
    return performance.now() - began;
  };
  const { body } = await service.call('GET', `/api/activity?since=${since}&kind=report`);
  expect(body.length).toBeGreaterThan(3_900);
  for (const path of [`/api/report?since=${since}&lanes=true`, `/api/activity?since=${since}&limit=50`]) {
    const times = [await took(path), await took(path), await took(path)];
    expect(Math.min(...times), path).toBeLessThan(1_000);
  }
});
