import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { recorded, recordedRunId, smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const send = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
async function tool(service: Started, name: string, args: Record<string, unknown>): Promise<any> {
  const client = await newMcpClient(service.url);
  const answer = (await client.callTool({ name, arguments: args })) as { structuredContent: unknown };
  await client.close();
  return answer.structuredContent;
}

/** Only tools list the members that others wrote. */
async function trustedPart(service: Started, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { untrusted, ...rest } = await tool(service, name, args);
  expect(untrusted).not.toEqual([]);
  return rest;
}

async function until(look: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await look()); turn += 1) {
    if (turn > 2_400) throw new Error('it never came to be');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

verifies(
  ['runs:relayed', 'run:detail', 'mcp:run-status', 'mcp:export-run', 'mcp:export-run-too-large'],
  'the coordination port answers as the console does',
  async () => {
    await using service = await start();
    await send(service, recorded);
    await send(service, smallRun('live', { finished: false }));
    for (const path of [
      '',
      '?state=running',
      `/${recordedRunId}`,
      `/${recordedRunId}/export?format=junit`,
      '/nowhere',
    ]) {
      const here = await service.call('GET', `/api/runs${path}`);
      const there = await service.console('GET', `/api/runs${path}`);
      expect([here.status, here.headers.get('content-type')]).toEqual([
        there.status,
        there.headers.get('content-type'),
      ]);
      if (path !== '/nowhere') expect(here.body).toEqual(there.body);
      else expect(here.body.code).toBe(there.body.code);
    }
    const { body } = await service.call('GET', `/api/runs/${recordedRunId}`);
    expect(await trustedPart(service, 'run_status', { runId: recordedRunId, maxBytes: 1048576 })).toEqual(body);
    const junit = await service.call('GET', `/api/runs/${recordedRunId}/export?format=junit`);
    expect(await trustedPart(service, 'export_run', { runId: recordedRunId, format: 'junit' })).toEqual({
      format: 'junit',
      text: junit.text,
    });
    const ctrf = await service.call('GET', `/api/runs/${recordedRunId}/export`);
    expect(await trustedPart(service, 'export_run', { runId: recordedRunId })).toEqual({
      format: 'ctrf',
      text: null,
      truncated: true,
      bytes: Buffer.byteLength(ctrf.text),
      url: `/api/runs/${recordedRunId}/export?format=ctrf`,
    });
    expect((await service.call('DELETE', '/api/runs/live')).status).toBe(409);
    expect((await service.call('DELETE', '/api/runs')).body).toEqual({ count: 1, runIds: [recordedRunId] });
  },
);

verifies(
  [
    'mcp:failing-tests',
    'mcp:failing-tests-no-verdict',
    'mcp:flaky-tests',
    'mcp:run-id-left-out',
    'mcp:run-id-several-live-400',
  ],
  'an agent is told what failed, what is flaky, and which run is meant',
  async () => {
    await using service = await start();
    await send(service, recorded);
    const failing = await tool(service, 'failing_tests', {});
    expect(failing).toMatchObject({ runId: recordedRunId, suite: 'Checkout.Specs', state: 'finished' });
    expect(failing.groups.find((group: { signature: string }) => group.signature === 'no verdict')).toMatchObject({
      count: 1,
      tests: [{ uid: 'Payment/Paying twice' }],
    });
    expect(
      failing.groups.find((group: { signature: string }) => group.signature === 'expected <n> label'),
    ).toMatchObject({
      tests: [{ uid: 'Shipping/Printing a label', file: '/home/me/checkout/src/Ship.cs', line: 7 }],
    });
    expect(JSON.stringify(failing).length).toBeLessThan(8192);
    const flaky = await tool(service, 'flaky_tests', {});
    expect(flaky.items).toHaveLength(4);
    expect(flaky.items[0]).toMatchObject({ runs: 1, retried: 1, lastRunId: recordedRunId, suite: 'Checkout.Specs' });
    await send(service, [...smallRun('one', { finished: false }), ...smallRun('two', { finished: false })]);
    expect(await tool(service, 'run_status', {})).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'runId', message: expect.stringMatching(/one.*two|two.*one/) }],
    });
    await send(service, smallRun('two'));
    expect(await tool(service, 'run_status', {})).toMatchObject({ run: { runId: 'one' } });
    await send(service, smallRun('many', { outcomes: Array.from({ length: 400 }, () => 'Failed') }));
    const alike = await tool(service, 'failing_tests', { runId: 'many' });
    expect(alike).toMatchObject({ groups: [{ signature: 'expected <n> but was <n>', count: 400 }], truncated: true });
    expect(alike.groups[0].tests.length + alike.leftOff).toBe(400);
  },
);

verifies(['await:run', 'await:timeout-at-most'], 'waiting for a run returns when it ends', async () => {
  await using service = await start({ clock: systemClock });
  await send(service, smallRun('r1', { finished: false }));
  expect(await tool(service, 'await_run', { timeoutSeconds: 0.3 })).toMatchObject({
    outcome: 'timeout',
    run: { runId: 'r1' },
  });
  const waiting = tool(service, 'await_run', { runId: 'r1', timeoutSeconds: 20 });
  await send(service, smallRun('r1'));
  expect(await waiting).toMatchObject({ outcome: 'finished', run: { state: 'finished' } });
  expect(await tool(service, 'await_run', { timeoutSeconds: 111 })).toMatchObject({ code: 'invalid_request' });
});

verifies(
  [
    'remote:runs-over-the-wire',
    'remote:await-run',
    'remote:token',
    'remote:polled',
    'remote:local-console-works-on',
    'remote:away-lists-last-known',
    'remote:away-detail-503',
  ],
  'a console elsewhere is read over the wire, with the same answers, and its absence is told',
  async () => {
    await using console = await start({ settings: { Token: 'far-away-from-here' } });
    const there = (path: string) =>
      console.console('GET', path, undefined, { authorization: 'Bearer far-away-from-here' });
    const publish = (events: readonly object[]) =>
      console.console('POST', '/api/ingest', { events }, { authorization: 'Bearer far-away-from-here' });
    await publish(recorded);
    await publish(smallRun('live', { finished: false }));
    await using service = await start({
      clock: systemClock,
      settings: { PublisherUrl: console.consoleUrl, PublisherToken: 'far-away-from-here' },
    });
    await send(service, smallRun('local'));
    for (const path of [
      '',
      `/${recordedRunId}`,
      `/${recordedRunId}/export?format=junit`,
      `/${recordedRunId}/export?format=ndjson`,
    ]) {
      const here = await service.call('GET', `/api/runs${path}`);
      expect([here.status, here.body]).toEqual([200, (await there(`/api/runs${path}`)).body]);
    }
    expect((await service.call('GET', '/api/runs/local')).status).toBe(404);
    expect((await service.console('GET', '/api/runs/local')).status).toBe(200);
    expect(await tool(service, 'failing_tests', { runId: recordedRunId })).toMatchObject({ runId: recordedRunId });
    const waiting = tool(service, 'await_run', { runId: 'live', timeoutSeconds: 20 });
    await publish(smallRun('live'));
    expect(await waiting).toMatchObject({ outcome: 'finished', run: { runId: 'live' } });
    expect((await service.call('DELETE', '/api/runs/live')).status).toBe(204);
    expect((await there('/api/runs')).body.map(({ runId }: { runId: string }) => runId)).toEqual([recordedRunId]);
    const before = (await service.call('GET', '/api/runs')).body;
    await console.stop();
    await until(async () => (await service.call('GET', `/api/runs/${recordedRunId}`)).status === 503);
    expect(await service.call('GET', `/api/runs/${recordedRunId}/export`)).toMatchObject({
      status: 503,
      body: { code: 'host_unavailable' },
    });
    await until(async () => Number((await service.call('GET', '/api/runs')).headers.get('age')) >= 3);
    expect((await service.call('GET', '/api/runs')).body).toEqual(before);
  },
);
