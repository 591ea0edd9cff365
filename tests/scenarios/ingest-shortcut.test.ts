import { expect } from 'vitest';
import { send } from '../raw-http.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const batch = '{"events":[{"type":"run_heartbeat","runId":"r1"},{"type":"later","runId":"r1"},{"runId":"r1"}]}';

/** A request with a content length uses the shortcut; a chunked one does not. */
async function both(service: Started, headers: Record<string, string>, body: string | Buffer) {
  const { url } = service.running.console;
  const ask = async (how: Record<string, string>) => {
    const answer = await send(url, 'POST', '/api/ingest', { host: 'localhost', ...how, ...headers }, body);
    const { date, 'keep-alive': _, connection, ...told } = answer.headers;
    return { ...answer, headers: told };
  };
  const [plain, chunked] = [
    await ask({ 'content-length': String(Buffer.byteLength(body)) }),
    await ask({ 'transfer-encoding': 'chunked' }),
  ];
  expect(plain).toEqual(chunked);
  return plain;
}

verifies(
  ['ingest:answer', 'ingest:not-json-400', 'host:not-allowed-403', 'origin:not-allowed-403'],
  'a plain batch is answered as any other, whatever is in it and whoever sends it',
  async () => {
    await using service = await start();
    const json = { 'content-type': 'application/json' };
    expect(await both(service, json, batch)).toMatchObject({
      status: 202,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' },
      text: expect.stringContaining('"accepted":1,"ignored":1,"rejected":[{"index":2'),
    });
    expect(await both(service, json, '[]')).toMatchObject({ status: 202 });
    expect(await both(service, json, '{"events":[')).toMatchObject({ status: 400 });
    expect(await both(service, { ...json, host: 'evil.example' }, batch)).toMatchObject({ status: 403 });
    expect(await both(service, { ...json, origin: 'http://evil.example' }, batch)).toMatchObject({ status: 403 });
    expect(await both(service, { ...json, 'content-encoding': 'gzip' }, batch)).toMatchObject({ status: 415 });
    expect(await both(service, { 'content-type': 'text/plain' }, batch)).toMatchObject({ status: 415 });
  },
);

verifies(['token:every-route'], 'a plain batch needs the token if one is set', async () => {
  await using service = await start({ settings: { Token: 'a-token-of-twenty-characters' } });
  const json = { 'content-type': 'application/json' };
  expect(await both(service, json, batch)).toMatchObject({ status: 401 });
  const known = { ...json, authorization: 'Bearer a-token-of-twenty-characters' };
  expect(await both(service, known, batch)).toMatchObject({ status: 202 });
});
