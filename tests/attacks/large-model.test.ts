import { expect, test } from 'vitest';
import { expectNeverStill } from '../event-loop.ts';
import { startedProcess } from '../spawn.ts';
import { caller } from '../start.ts';
import { newMcpClient } from '../transports.ts';

const slices = Array.from({ length: 5_000 }, (_, at) => ({
  name: `slice ${at}`,
  commandType: { name: `Command${at}` },
  emittedEvents: [{ name: `Event${at}` }, { name: `Other${at}` }],
  consumedEvents: [{ name: `Event${4_999 - at}` }],
  readModelTypes: [{ name: `View${at % 100}` }],
  specifications: [{ identity: `spec ${at}` }],
}));

test('a model of as many slices as there may be is pushed, read, covered and drawn, and holds up nobody', async () => {
  await using service = await startedProcess();
  const call = caller(service.consoleUrl);
  expect((await call('PUT', '/api/event-model/host', { name: 'm', slices })).status).toBe(204);
  const { body: model } = await call('GET', '/api/event-model');
  expect([model.slices.length, model.links.length]).toEqual([5_000, 5_000]);
  const { body: coverage } = await call('GET', '/api/event-model/coverage');
  expect(coverage.summary).toMatchObject({ slices: 5_000, noEvidence: 5_000 });
  for (const format of ['svg', 'mermaid']) {
    const drawing = await fetch(`${service.consoleUrl}/api/event-model/diagram?format=${format}`);
    expect(await drawing.text()).toContain('slice 4999');
  }
  await expectNeverStill(service.consoleUrl);
});

test('an agent is told what it can afford of such a model, and holds up nobody either', async () => {
  await using service = await startedProcess();
  const { status } = await caller(service.consoleUrl)('PUT', '/api/event-model/host', { name: 'm', slices });
  expect(status).toBe(204);
  const client = await newMcpClient(service.url);
  for (const name of ['event_model', 'slice_coverage']) {
    const { structuredContent: told } = await client.callTool({ name, arguments: {} });
    expect(JSON.stringify(told).length, name).toBeLessThanOrEqual(8192);
    expect(told, name).toMatchObject({ truncated: true, slices: expect.arrayContaining([expect.anything()]) });
  }
  await client.close();
  await expectNeverStill(service.url);
});
