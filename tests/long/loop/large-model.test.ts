import { expect, test } from 'vitest';
import { caller } from '../../start.ts';
import { newMcpClient } from '../../transports.ts';
import { expectNeverStill, startWatched } from './never-still.ts';

const slices = Array.from({ length: 5_000 }, (_, at) => ({
  name: `slice ${at}`,
  commandType: { name: `Command${at}` },
  emittedEvents: [{ name: `Event${at}` }, { name: `Other${at}` }],
  consumedEvents: [{ name: `Event${4_999 - at}` }],
  readModelTypes: [{ name: `View${at % 100}` }],
  specifications: [{ identity: `spec ${at}` }],
}));

test('a model of as many slices as there may be is pushed, read, covered and drawn, and holds up nobody', async () => {
  await using service = await startWatched();
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
  await expectNeverStill(service);
});

test('an agent gets a bounded part of such a model, and delays nobody either', async () => {
  await using service = await startWatched();
  const { status } = await caller(service.consoleUrl)('PUT', '/api/event-model/host', { name: 'm', slices });
  expect(status).toBe(204);
  const client = await newMcpClient(service.url);
  for (const name of ['event_model', 'slice_coverage']) {
    const { structuredContent: told } = await client.callTool({ name, arguments: {} });
    expect(JSON.stringify(told).length, name).toBeLessThanOrEqual(8192);
    expect(told, name).toMatchObject({ truncated: true, slices: expect.arrayContaining([expect.anything()]) });
  }
  await client.close();
  await expectNeverStill(service);
});

test('all sources of a model together are no more than one may be, in a heap of 256 MB', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const call = caller(service.consoleUrl);
  const many = { name: 'm', slices: slices.slice(0, 2_500) };
  for (const source of ['a', 'b', 'a'])
    expect((await call('PUT', `/api/event-model/${source}`, many)).status).toBe(204);
  const more = await call('PUT', '/api/event-model/c', { name: 'm', slices: [{ name: 'one more' }] });
  expect(more).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  expect(more.body.detail).toContain('DELETE /api/event-model/a');
  for (const source of ['a', 'b']) await call('DELETE', `/api/event-model/${source}`);

  const specifications = Array.from({ length: 14 }, (_, at) => ({ identity: `${at} ${'x'.repeat(450)}` }));
  const long = { name: 'm', slices: slices.slice(0, 1_000).map(({ name }) => ({ name, specifications })) };
  const told = new Map<number, number>();
  for (let source = 0; source < 5; source += 1) {
    const { status } = await call('PUT', `/api/event-model/s${source}`, long);
    told.set(status, (told.get(status) ?? 0) + 1);
  }
  expect([...told]).toEqual([
    [204, 1],
    [413, 4],
  ]);
  await expectNeverStill(service);
});
