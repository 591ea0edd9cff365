import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { recorded, recordedRunId, recordedText, smallRun } from '../recorded-run.ts';
import { type InterfaceClient, openInterface } from './client.ts';
import { promises } from './promises.ts';

let on: InterfaceClient;
beforeAll(async () => {
  on = await openInterface();
});
afterAll(() => on[Symbol.asyncDispose]());

const ids = async (query = '') =>
  (await on.console('GET', `/api/runs${query}`)).body.map(({ runId }: { runId: string }) => runId);

promises(
  ['1.7', '2.19', '2.20', '2.21', '2.22', '4.23', '4.24', '4.25', '4.26'],
  'the stream of an unmodified publisher is listed, read and exported',
  async () => {
    expect((await on.console('GET', '/api/ping')).status).toBe(200);
    expect(await on.ingest(recorded)).toMatchObject({ rejected: [] });
    expect((await on.call('POST', '/api/ingest', { events: recorded })).status).toBe(404);
    const [summary] = (await on.console('GET', '/api/runs?tag=checkout-2/gate')).body;
    expect(summary).toMatchObject({ runId: recordedRunId, tag: 'checkout-2/gate', finished: true });
    for (const member of ['passed', 'failed', 'passedOnRetry', 'indeterminate', 'scenariosFinished', 'totalScenarios'])
      expect(summary[member], member).toEqual(expect.any(Number));
    expect(await ids('?tag=nothing')).toEqual([]);
    const detail = (await on.console('GET', `/api/runs/${recordedRunId}`)).body;
    expect(detail.scenarios.length).toBeGreaterThan(5);
    for (const list of ['lanes', 'recycles', 'workerFaults', 'stalls'])
      expect(detail[list].length, list).toBeGreaterThan(0);
    expect(detail.progress).not.toBeNull();
    expect(detail.lanes.flatMap(({ running }: { running: string[] }) => running)).toEqual([]);
    const touched = detail.scenarios.flatMap(({ touchedTypes }: { touchedTypes: object[] }) => touchedTypes);
    expect(touched.length).toBeGreaterThan(0);
    const exported = (format: string) => on.console('GET', `/api/runs/${recordedRunId}/export${format}`);
    expect((await exported('')).body.results.tool.name).toEqual(expect.any(String));
    expect((await exported('?format=junit')).text).toContain('<testsuites');
    expect((await exported('?format=ndjson')).text).toBe(recordedText);
    const archive = join(on.dataPath, 'runs', `${recordedRunId}.ndjson`);
    expect(await readFile(archive, 'utf8')).toBe(recordedText);
  },
);

promises(
  ['3.17', '3.18', '3.19', '4.27', '4.28'],
  'runs are ejected one by one and as a set, live ones never, archives are kept until the age policy',
  async () => {
    await on.ingest([...smallRun('live', { finished: false }), ...smallRun('old'), ...smallRun('new')]);
    expect((await on.console('DELETE', '/api/runs/live')).status).toBe(409);
    expect((await on.console('DELETE', '/api/runs/old')).status).toBe(204);
    expect((await on.console('GET', '/api/runs/old')).status).toBe(404);
    expect(await readdir(join(on.dataPath, 'runs', 'ejected'))).toContain('old.ndjson');
    await on.ingest([{ type: 'run_heartbeat', runId: 'old', at: '2026-01-01T09:00:00.000Z' }]);
    expect((await on.console('GET', '/api/runs/old')).body.run.state).toBe('running');
    const kept = await on.console('DELETE', `/api/runs?exceptRunId=new&exceptRunId=mine&exceptRunId=${recordedRunId}`);
    expect(kept.body.runIds).not.toContain('new');
    expect((await on.console('DELETE', '/api/runs?olderThan=36h')).body.runIds).not.toContain('live');
    expect((await on.console('DELETE', '/api/runs')).body.runIds).not.toContain('live');
    expect(await ids()).toContain('live');
    expect(await readdir(join(on.dataPath, 'runs', 'ejected'))).toEqual(
      expect.arrayContaining(['old.ndjson', 'new.ndjson']),
    );
    on.clock.advance(15 * 24 * 60 * 60_000);
    await on.running.console.runs.runs.ejector.sweepAge();
    expect((await readdir(join(on.dataPath, 'runs', 'ejected'))).filter((name) => name === 'new.ndjson')).toEqual([]);
  },
);

promises(
  ['2.23', '4.29', '4.30', '6.2'],
  'sources of one model merge, a push replaces its source alone, and another name is refused',
  async () => {
    const slice = (name: string) => ({ name, domain: 'Banking', pattern: 'Command', specifications: [] });
    const push = (source: string, name: string, ...slices: string[]) =>
      on.console('PUT', `/api/event-model/${source}`, { name, slices: slices.map(slice) });
    const served = async () => {
      const { name, slices } = (await on.console('GET', '/api/event-model')).body;
      return [name, slices.map((one: { name: string }) => one.name).sort()];
    };
    expect((await push('host', 'Wallets', 'Credit')).status).toBe(204);
    expect((await push('specs', 'Wallets', 'Debit')).status).toBe(204);
    expect(await served()).toEqual(['Wallets', ['Credit', 'Debit']]);
    expect((await push('host', 'Wallets', 'Close')).status).toBe(204);
    expect(await served()).toEqual(['Wallets', ['Close', 'Debit']]);
    expect((await push('other', 'Orders', 'Order')).status).toBe(409);
    expect(await served()).toEqual(['Wallets', ['Close', 'Debit']]);
  },
);

promises(
  ['4.32'],
  'the two copies of the monitor events are compared by a test that sends each of them there and back',
  async () => {
    const test = join(import.meta.dirname, '../../packages/service/src/console/runs/publisher-copy.test.ts');
    expect(await readFile(test, 'utf8')).toMatch(/packages\/publisher|publisher\/src\/events/);
  },
);
