import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { wholeRun } from '../hosts/whole-run.ts';
import { start } from '../start.ts';
import { openCollector } from './collector.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  ['grpc', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported.*http\/json/],
  ['an address that is none', { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /is not an http or https address/],
  ['a login', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:pw@localhost' }, /contains a login/],
  ['headers without values', { OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b' }, /entry 2 is not key=value/],
  ['a timeout that is none', { OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, /is not a number of milliseconds/],
])('%s is refused at the start with a line that says what to do', async (_, settings, message) => {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...settings };
  await expect(start({ settings: all })).rejects.toThrow(message);
  await using service = await start({ settings: { ...all, OTEL_SDK_DISABLED: 'true' } });
  expect((await service.call('GET', '/metrics')).text).not.toContain('signalbox_otel');
});

/** The ports on loopback, and the addresses elsewhere, that this process connects to meanwhile. */
async function connectionsDuring(work: () => Promise<void>): Promise<Set<string>> {
  const seen = new Set<string>();
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => seen.add(`${socket.remoteAddress}:${socket.remotePort}`));
  };
  subscribe('net.client.socket', watch);
  await work();
  unsubscribe('net.client.socket', watch);
  return seen;
}

test('nothing leaves the machine without the address of a collector', async () => {
  await using collector = await openCollector();
  const day = async (settings: Record<string, string>) => {
    await using service = await start({ settings });
    await service.call('POST', '/api/plans', { plan: 'rel', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] });
    await service.call('POST', '/api/plans/rel/nodes/a/claim', { agent: 'ada' }, { traceparent });
    await service.call('POST', '/api/plans/rel/nodes/a/sign-off?by=eve', {});
    await service.console('POST', '/api/ingest', { events: wholeRun('a-run', 'a', 'Failed') }, { traceparent });
    for (let minute = 0; minute < 3; minute += 1) {
      service.clock.advance(60_000);
      await service.clock.tick();
    }
    const own = [service.url, service.consoleUrl].map((url) => new URL(url).port);
    return {
      own,
      others: (seen: Set<string>) => [...seen].filter((one) => !own.includes(one.split(':').at(-1) ?? '')),
    };
  };
  const named = { OTEL_SERVICE_NAME: 'signals', OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_RESOURCE_ATTRIBUTES: 'a=b' };
  let quiet: Awaited<ReturnType<typeof day>> | undefined;
  const without = await connectionsDuring(async () => {
    quiet = await day(named);
  });
  expect(without.size).toBeGreaterThan(0);
  expect(quiet?.others(without)).toEqual([]);
  let loud: Awaited<ReturnType<typeof day>> | undefined;
  const within = await connectionsDuring(async () => {
    loud = await day({ ...named, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  });
  const { port } = new URL(collector.url);
  expect(loud?.others(within).map((one) => one.split(':').at(-1))).toContain(port);
  expect(loud?.others(within).every((one) => one.endsWith(`:${port}`))).toBe(true);
});
