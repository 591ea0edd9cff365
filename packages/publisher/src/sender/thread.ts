import { parentPort, workerData } from 'node:worker_threads';
import { computedMs } from '../computed.ts';
import type { MonitorEvent, RunStarted } from '../events.ts';
import { watchChanges } from './changes.ts';
import { createConsoleClient } from './console-client.ts';
import { createPulse } from './pulse.ts';
import { Pump } from './pump.ts';
import { createQueue } from './queue.ts';
import { type Message, phase, slot, type ThreadSettings } from './shared.ts';

const beatMs = 10_000;
const queueLimit = 50_000;

const settings = workerData as ThreadSettings;
const port = parentPort as NonNullable<typeof parentPort>;
const state = new Int32Array(settings.shared);
const client = createConsoleClient(settings.url, settings.token);
const queue = createQueue(queueLimit);
const pulse = createPulse(settings);
const changes = watchChanges(settings.root, settings.searchPath);
const pump = new Pump(queue, client, leave);
let beating = false;
let asking = false;

function leave(): void {
  Atomics.store(state, slot.computedMs, computedMs());
  Atomics.store(state, slot.phase, phase.over);
  Atomics.notify(state, slot.phase);
  port.close();
  process.exit();
}

function push(event: MonitorEvent): void {
  pulse.see(event, Date.now());
  if (event.type === 'run_started' || event.type === 'participant_started') beating = true;
  if (event.type === 'run_finished' || event.type === 'participant_finished') beating = false;
  if (event.type === 'run_started') queue.push(withChanges(event));
  else queue.push(event);
}

/** Whether the working tree has changes is asked once, beside everything else; the run is told again with the answer. */
function withChanges(event: RunStarted): RunStarted {
  const known = changes.known();
  if (known === undefined) changes.ask((dirty) => dirty !== null && changedLater({ ...event, dirty }));
  return known == null ? event : { ...event, dirty: known };
}

function changedLater(event: RunStarted): void {
  if (!beating) return;
  queue.push(event);
  if (Atomics.load(state, slot.phase) === phase.live) pump.wake();
}

const alive = client.ping(settings.probeMs);

port.on('message', async (message: Message) => {
  if (message !== 'drain') {
    for (const event of message.events) push(event);
    if (Atomics.load(state, slot.phase) === phase.live) pump.wake();
    return;
  }
  clearInterval(stallWatch);
  clearInterval(heartbeat);
  if (await alive) await pump.drain();
  leave();
});

/** A test that always takes long is not stalled: the console knows how long it took before, and is asked only then. */
async function watchStalls(): Promise<void> {
  const late = pulse.late(Date.now());
  if (late.length === 0 || asking || Atomics.load(state, slot.phase) !== phase.live) return;
  asking = true;
  const expected = await client.expected(settings.runId, 5_000);
  for (const uid of late) pulse.allow(uid, 2 * (expected.get(uid) ?? 0));
  for (const stall of pulse.stalls(Date.now())) push(stall);
  asking = false;
  if (queue.size > 0) pump.wake();
}
const stallWatch = setInterval(watchStalls, 1_000);

const heartbeat = setInterval(() => {
  if (!beating) return;
  const now = Date.now();
  push({ type: 'run_heartbeat', runId: settings.runId, at: new Date(now).toISOString() });
  if (settings.counts) push(pulse.progress(now));
  pump.wake();
}, beatMs);

if (await alive) {
  Atomics.store(state, slot.phase, phase.live);
  pump.wake();
} else leave();
