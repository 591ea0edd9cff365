import { appendFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { range } from '../../hub/announcing.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { openSocket, type RawSocket } from '../../transports.ts';

test('a directory of large plan files is read one after the other, in a heap of 256 MB', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-plans-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const plans = join(home, 'plans');
  mkdirSync(plans);
  writeFileSync(join(plans, 'first.yaml'), '['.repeat(8 * 1024 * 1024));
  for (let copy = 0; copy < 35; copy += 1) linkSync(join(plans, 'first.yaml'), join(plans, `copy-${copy}.yaml`));
  writeFileSync(join(plans, 'last.yaml'), 'plan: last\n');
  const small = { NODE_OPTIONS: '--max-old-space-size=256', Service__PlansPath: plans };
  await using service = await startedProcess(small, [], home);
  expect((await caller(service.url)('GET', '/api/plans/last')).status).toBe(200);
});

test('more kept verdicts than fit in the heap do not keep the service from starting', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-verdicts-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const told = { outcome: 'CleanPass', at: '2026-01-01T10:00:00.000Z', runId: 'r', touchedTypes: null };
  const path = join(home, '.signalbox', 'verdicts.ndjson');
  mkdirSync(join(home, '.signalbox'));
  for (let part = 0; part < 24; part += 1) {
    const verdicts = Array.from({ length: 100 }, (_, at) => ({
      identity: `${part}/${at} ${'x'.repeat(99_000)}`,
      ...told,
    }));
    appendFileSync(path, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
  }
  await using service = await startedProcess({ NODE_OPTIONS: '--max-old-space-size=256' }, [], home);
  expect(service.err() + service.out()).toContain('the oldest were dropped');
});

const shop = { owner: 'acme', name: 'shop' };
const call = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });

async function writeNotes(socket: RawSocket, ids: readonly number[]): Promise<void> {
  const note = (id: number) => call(id, 'note_repository', { ...shop, text: `${id} `.repeat(4_000), by: 'ada' });
  for (const id of ids) socket.send(note(id));
  await Promise.all(ids.map((id) => socket.answer(id)));
}

test('a frame that asks 64 times for a repository with 5 MB of notes is answered whole, in a heap of 128 MB', async () => {
  await using service = await startedProcess({ NODE_OPTIONS: '--max-old-space-size=128' });
  await using socket = await openSocket(service.url);
  socket.send(call(1, 'register_repository', shop));
  await writeNotes(socket, range(1_000, 1_249));
  const asked = range(2, 65);
  socket.send(asked.map((id) => call(id, 'get_repository', shop)));
  for (const id of asked) expect((await socket.answer(id)).result, `request ${id}`).toMatchObject(shop);
});

test('a frame that asks 64 times what happened on a day with 20 MB of notes is answered whole, in a heap of 128 MB', async () => {
  await using service = await startedProcess({ NODE_OPTIONS: '--max-old-space-size=128' });
  await using socket = await openSocket(service.url);
  socket.send(call(1, 'register_repository', shop));
  for (const from of [1_000, 2_000, 3_000, 4_000]) await writeNotes(socket, range(from, from + 199));
  const asked = range(2, 65);
  socket.send(asked.map((id) => call(id, id % 2 === 0 ? 'activity_report' : 'list_activity', {})));
  for (const id of asked) expect((await socket.answer(id)).result, `request ${id}`).toBeDefined();
});
