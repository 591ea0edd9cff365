import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { host, specs } from '../../packages/event-model/testing/wallets.ts';
import { viaSocket } from '../hub/clients.ts';
import { send } from '../raw-http.ts';
import { smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

/** Forwards everything to another address; the answer of one list can be delayed. */
async function slowDoor(to: string) {
  let hold: { arrived: () => void; released: Promise<void> } | null = null;
  const server = createServer(async (request, response) => {
    const answer = await fetch(to + request.url, { method: request.method ?? 'GET' });
    const text = await answer.text();
    if (hold && request.method === 'GET' && request.url === '/api/runs') {
      const { arrived, released } = hold;
      hold = null;
      arrived();
      await released;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdNext() {
      const { promise: arrivedHere, resolve: arrived } = Promise.withResolvers<void>();
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      hold = { arrived, released };
      return { arrived: arrivedHere, release };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const publish = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });
const board = async (service: Started): Promise<string[]> =>
  (await service.console('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId).sort();
/** Both clocks are stopped, so the near one polls again only when it is told to. */
const lookAgain = async (near: Started) => {
  near.clock.advance(5000);
  await near.clock.tick();
};

verifies(
  'remote:runs-over-the-wire',
  'the person who ejected a run on a remote console is shown here too',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    await publish(far, smallRun('r1'));
    await far.console('DELETE', '/api/runs/r1?by=ada');
    const { status, body } = await near.call('GET', '/api/runs/r1');
    expect([status, body]).toEqual([404, (await far.console('GET', '/api/runs/r1')).body]);
    expect(body.ejectedBy).toBe('ada');
  },
);

verifies(
  ['remote:runs-over-the-wire', 'remote:await-run', 'remote:away-detail-503'],
  'a run that began since the last look at the console is there for whoever names it',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    expect((await near.call('GET', '/api/runs')).body).toEqual([]);
    await publish(far, smallRun('r1', { outcomes: ['Failed'] }));
    expect((await near.call('GET', '/api/runs/R1')).body).toEqual((await far.console('GET', '/api/runs/r1')).body);
    const client = await newMcpClient(near.url);
    for (const [name, expected] of [
      ['run_status', { run: { state: 'finished' } }],
      ['failing_tests', { groups: [{ count: 1 }] }],
      ['await_run', { outcome: 'finished', run: { runId: 'r1' } }],
    ] as const) {
      const answer = await client.callTool({ name, arguments: { runId: 'r1' } });
      expect(answer.structuredContent).toMatchObject(expected);
    }
    await client.close();
    await far.stop();
    expect(await near.call('GET', '/api/runs/r2')).toMatchObject({ status: 503, body: { code: 'host_unavailable' } });
  },
);

verifies(
  ['remote:runs-over-the-wire', 'path:bad-pattern-is-404'],
  'a path that names no run is never passed on as one: a dot would mean all of them',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    await publish(far, smallRun('r1'));
    for (const id of ['.', '..', '%2e', '%2E%2E', '..%2fruns', '-', 'a%20b']) {
      for (const [method, rest] of [
        ['DELETE', ''],
        ['GET', ''],
        ['GET', '/export'],
      ] as const) {
        const { status, text } = await send(near.url, method, `/api/runs/${id}${rest}`);
        expect([id, method, rest, status, JSON.parse(text).code]).toEqual([id, method, rest, 404, 'run_not_found']);
      }
    }
    expect(await board(far)).toEqual(['r1']);
  },
);

verifies(
  ['remote:runs-over-the-wire', 'remote:hub'],
  'a look that began before an eject and ends after it brings nothing back',
  async () => {
    await using far = await start();
    await publish(far, smallRun('r1'));
    await using between = await slowDoor(far.consoleUrl);
    await using near = await start({ settings: { PublisherUrl: between.url } });
    expect((await near.call('GET', '/api/runs')).body).toMatchObject([{ runId: 'r1' }]);
    const overtaken = between.holdNext();
    near.clock.advance(2000);
    const looking = near.clock.tick();
    await overtaken.arrived;
    expect((await near.call('DELETE', '/api/runs/r1')).status).toBe(204);
    overtaken.release();
    await looking;
    expect((await near.call('GET', '/api/runs')).body).toEqual([]);
  },
);

verifies(
  ['remote:runs-over-the-wire', 'remote:away-detail-503'],
  'services that read from each other say so instead of handing a question to and fro for ever',
  async () => {
    await using third = await start();
    await using second = await start({ settings: { PublisherUrl: third.consoleUrl } });
    await using first = await start({ settings: { PublisherUrl: second.url } });
    expect((await first.call('GET', '/api/runs')).body).toEqual([]);
    for (const [method, path] of [
      ['GET', '/api/runs/r1'],
      ['DELETE', '/api/runs/r1'],
      ['GET', '/api/event-model'],
    ] as const) {
      const { status, body } = await first.call(method, path);
      expect.soft([method, path, status, body.code]).toEqual([method, path, 503, 'host_unavailable']);
      expect.soft(body.detail).toContain('reads its own runs from another console');
    }
    expect(first.logged()).toContain('reads its own runs from another console');
    expect((await second.call('GET', '/api/runs/r1')).status).toBe(404);
  },
);

verifies(
  ['remote:hub', 'remote:local-console-works-on'],
  'the hub tells of the runs that are read elsewhere, and of none that only the console here took in',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    expect((await near.call('GET', '/api/runs')).body).toEqual([]);
    await near.call('GET', '/api/event-model');
    await using hub = await viaSocket(near, '?types=run_changed,run_ejected,run_events,event_model_changed');
    await publish(near, smallRun('here'));
    await near.console('PUT', '/api/event-model/host', host);
    await near.clock.tick();
    expect((await near.console('DELETE', '/api/runs/here')).status).toBe(204);
    await publish(far, smallRun('there'));
    await lookAgain(near);
    expect((await hub.until(1)).map(({ type, subject }) => [type, subject])).toEqual([['run_changed', 'there']]);
  },
);

verifies('remote:token', 'a console that wants another token is not said to be silent', async () => {
  await using far = await start({ settings: { Token: 'the-token-of-theirs' } });
  await using near = await start({ settings: { PublisherUrl: far.consoleUrl, PublisherToken: 'the-token-of-ours' } });
  for (const path of ['/api/runs/r1', '/api/runs/r1/export', '/api/event-model']) {
    expect([path, (await near.call('GET', path)).body]).toMatchObject([
      path,
      { code: 'host_unavailable', detail: expect.stringContaining('Service:PublisherToken') },
    ]);
  }
});

verifies(
  ['remote:event-model', 'remote:hub'],
  'the event model of a console elsewhere is narrowed as there, and its end is told',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    await far.console('PUT', '/api/event-model/host', host);
    await far.console('PUT', '/api/event-model/specs', specs);
    await near.call('GET', '/api/event-model');
    await lookAgain(near);
    for (const query of ['', '?slice=%20creditwallet%20', '?slice=NotifyOwner', '?domain=none', '?chapter=Funding']) {
      const here = await near.call('GET', `/api/event-model${query}`);
      expect([query, here.body]).toEqual([query, (await far.console('GET', `/api/event-model${query}`)).body]);
    }
    await using hub = await viaSocket(near, '?types=event_model_changed');
    for (const source of ['host', 'specs']) await far.console('DELETE', `/api/event-model/${source}`);
    await lookAgain(near);
    expect((await near.call('GET', '/api/event-model')).body).toMatchObject({ code: 'no_event_model' });
    expect((await hub.until(1)).map(({ data }) => data)).toEqual([{ name: host.name }]);
  },
);
