import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

/** A server that answers but is not a console. */
async function stranger(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const oddities: Record<string, (response: ServerResponse) => void> = {
  'a page of its own': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>back soon</p>'),
  'a page in pieces': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).write('<p>back');
    response.end(' soon</p>');
  },
  'JSON of another kind': (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 6 }).end('[null]'),
  'a refusal that is not known here': (response) =>
    response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"code":"from_the_future"}'),
  'an answer that breaks off': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }).write('[{');
    setImmediate(() => response.destroy());
  },
};

verifies(
  ['remote:runs-over-the-wire', 'remote:event-model', 'remote:away-detail-503', 'remote:away-lists-last-known'],
  'what answers at PublisherUrl and is no console brings nothing down, is passed on as nothing, and is told in the log',
  async () => {
    for (const [what, answer] of Object.entries(oddities)) {
      await using far = await stranger(answer);
      await using near = await start({ settings: { PublisherUrl: far.url } });
      const list = await near.call('GET', '/api/runs');
      expect.soft([what, list.status, list.body, list.headers.get('age')]).toEqual([what, 200, [], '0']);
      for (const path of [
        '/api/runs/r1',
        '/api/runs/r1/export',
        '/api/event-model',
        '/api/event-model/coverage',
        '/api/event-model/diagram',
      ]) {
        const { status, body } = await near.call('GET', path);
        expect.soft([what, path, status, body.code]).toEqual([what, path, 503, 'host_unavailable']);
      }
      expect.soft((await near.call('DELETE', '/api/runs')).body.code, what).toBe('host_unavailable');
      const client = await newMcpClient(near.url);
      for (const name of ['failing_tests', 'await_run']) {
        const { structuredContent } = await client.callTool({ name, arguments: { runId: 'r1' } });
        expect.soft([what, structuredContent]).toMatchObject([what, { code: 'host_unavailable' }]);
      }
      await client.close();
      near.clock.advance(6_000);
      await near.clock.tick();
      expect.soft(near.logged(), what).toMatch(/cannot read the run console at Service:PublisherUrl/);
    }
  },
);

verifies(
  ['remote:runs-over-the-wire', 'remote:away-detail-503'],
  'a console that does not know the name it is called by is not said to have been called wrongly by whoever asks here',
  async () => {
    const problem = JSON.stringify({ code: 'host_not_allowed', detail: 'Add the name to Service:AllowedHosts.' });
    await using far = await stranger((response) => response.writeHead(403).end(problem));
    await using near = await start({ settings: { PublisherUrl: far.url } });
    const { status, body } = await near.call('GET', '/api/runs/r1');
    expect([status, body.code]).toEqual([503, 'host_unavailable']);
    expect(body.detail).toMatch(/PublisherUrl refused.*AllowedHosts/);
  },
);

verifies(
  ['remote:token', 'remote:away-lists-last-known'],
  'a console that cannot be read is told in the log once, with what to do, and so is its return',
  async () => {
    await using far = await start({ settings: { Token: 'the-token-of-theirs' } });
    await using strange = await start({
      settings: { PublisherUrl: far.consoleUrl, PublisherToken: 'the-token-of-ours' },
    });
    expect((await strange.call('GET', '/api/runs')).body).toEqual([]);
    expect(strange.logged()).toMatch(/cannot read the run console/);
    expect(strange.logged()).toMatch(/Service:PublisherToken/);

    let answering = false;
    const run = JSON.stringify([{ runId: 'r1', suite: 'unit', state: 'finished' }]);
    await using door = await stranger((response) => {
      response.writeHead(answering ? 200 : 502, { 'content-type': 'application/json' }).end(answering ? run : '{}');
    });
    await using near = await start({ settings: { PublisherUrl: door.url } });
    const look = async () => {
      near.clock.advance(2_000);
      await near.clock.tick();
    };
    await look();
    answering = true;
    await look();
    expect((await near.call('GET', '/api/runs')).body).toMatchObject([{ runId: 'r1' }]);
    expect(near.logged().match(/cannot read the|is reachable again/g)).toEqual([
      'cannot read the',
      'is reachable again',
    ]);
  },
);
