import { expect, test } from 'vitest';
import { start } from '../start.ts';

const nodes = (...ids: string[]) => ({ nodes: ids.map((id) => ({ id })) });

test('a plan is replaced only at the version that was read, and the refusal lists later changes', async () => {
  await using service = await start();
  const put = (body: object, headers: Record<string, string> = {}) =>
    service.call('PUT', '/api/plans/shop?by=ida', body, headers);
  expect((await put(nodes('a'), { 'if-match': '0' })).status).toBe(201);
  const read = await service.call('GET', '/api/plans/shop');
  expect(read.headers.get('etag')).toBe('"1"');

  expect((await put(nodes('a', 'b'), { 'if-match': '"1"' })).body).toMatchObject({ version: 2, added: ['b'] });
  const late = await put(nodes('a'), { 'if-match': '"1"' });
  expect([late.status, late.body]).toEqual([
    412,
    expect.objectContaining({
      code: 'version_conflict',
      version: 2,
      changes: [expect.objectContaining({ version: 2, type: 'node_added', by: 'ida', says: expect.any(String) })],
    }),
  ]);
  expect((await service.call('GET', '/api/plans/shop')).body.nodes).toHaveLength(2);
  expect((await put(nodes('a'), { 'if-match': '2' })).body).toMatchObject({ version: 3, removed: ['b'] });
});

test('an invalid version is reported, and a version for an unknown plan creates nothing', async () => {
  await using service = await start();
  const put = (match: string) => service.call('PUT', '/api/plans/shop', nodes('a'), { 'if-match': match });
  expect((await put('*')).body).toMatchObject({ status: 400, errors: [{ path: 'If-Match' }] });
  expect((await put('3')).body).toMatchObject({ status: 412, code: 'version_conflict', version: 0, changes: [] });
  expect((await service.call('GET', '/api/plans')).body).toEqual([]);
});
