import { parentPort, workerData } from 'node:worker_threads';
import { computedMs } from '../computed.ts';
import { createConsoleClient } from './console-client.ts';
import { SendingRun } from './sending-run.ts';
import type { ConsoleAddress, Drained, Message, RunSettings } from './shared.ts';

const { url, token, probeMs } = workerData as ConsoleAddress;
const port = parentPort as NonNullable<typeof parentPort>;
const client = createConsoleClient(url, token);
const runs = new Map<number, SendingRun>();
let toldMs = 0;
let isLeaving = false;

/** CPU time since the last call, so that each run gets its share. */
function sinceLast(): number {
  const total = computedMs();
  const share = total - toldMs;
  toldMs = total;
  return share;
}

function leaveIfLast(): void {
  if (!isLeaving || runs.size > 0) return;
  port.close();
  process.exit();
}

function stop(number: number): void {
  runs.get(number)?.end(sinceLast());
  if (!runs.delete(number)) return;
  port.postMessage({ drained: number } satisfies Drained);
  leaveIfLast();
}

function open(number: number, settings: RunSettings): void {
  const run = new SendingRun(settings, client, probeMs, () => stop(number));
  runs.set(number, run);
  void alive.then((isAlive) => {
    if (!runs.has(number)) return;
    if (isAlive) run.live();
    else stop(number);
  });
}

async function drain(number: number): Promise<void> {
  const run = runs.get(number);
  if (!run || !(await alive)) return;
  await run.drain();
  if (!runs.has(number)) return;
  run.end(sinceLast());
  port.postMessage({ drained: number } satisfies Drained);
  await run.finish();
  runs.delete(number);
  leaveIfLast();
}

function leave(): void {
  isLeaving = true;
  leaveIfLast();
}

const alive = client.ping(probeMs);
// Runs that were opened earlier are stopped first.
void alive.then((isAlive) => isAlive || setImmediate(leave));

port.on('message', (message: Message) => {
  if (message === 'leave') leave();
  else if ('open' in message) open(message.run, message.open);
  else if ('events' in message) runs.get(message.run)?.push(message.events);
  else void drain(message.run);
});
