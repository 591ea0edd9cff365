import { expect, test } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { start } from '../start.ts';

test('runs of one batch arrive in the order of the batch', async () => {
  await using service = await start({ settings: { RetentionRuns: '0' } });
  const names = Array.from({ length: 200 }, (_, at) => `run-${String(at).padStart(3, '0')}`);
  await service.console('POST', '/api/ingest', { events: names.flatMap((runId) => smallRun(runId)) });
  const suites = (await service.console('GET', '/api/suites')).body as { runs: { runId: string }[] }[];
  const newest = names.slice(-50).reverse();
  expect(suites.map(({ runs }) => runs.map(({ runId }) => runId))).toEqual([newest]);
});
