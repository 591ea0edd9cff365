import type { MonitorEvent, RunStarted } from '../events.ts';
import { watchChanges } from './changes.ts';
import type { ConsoleClient } from './console-client.ts';
import { createPulse, type Pulse } from './pulse.ts';
import { Pump } from './pump.ts';
import { createQueue, type Queue } from './queue.ts';
import { Rejections } from './rejections.ts';
import { phase, type RunSettings, slot } from './shared.ts';

const beatMs = 10_000;
const queueLimit = 50_000;

/** A run in the sending thread. */
export class SendingRun {
  readonly #settings: RunSettings;
  readonly #client: ConsoleClient;
  readonly #state: Int32Array;
  readonly #queue: Queue = createQueue(queueLimit);
  readonly #pulse: Pulse;
  readonly #changes: ReturnType<typeof watchChanges>;
  readonly #pump: Pump;
  readonly #rejections = new Rejections();
  readonly #timers: readonly NodeJS.Timeout[];
  #isBeating = false;
  #isAsking = false;

  /** `onStop` is called if the console does not accept this run. */
  constructor(settings: RunSettings, client: ConsoleClient, probeMs: number, onStop: () => void) {
    this.#settings = settings;
    this.#client = client;
    this.#state = new Int32Array(settings.shared);
    this.#pulse = createPulse(settings);
    this.#changes = watchChanges(settings.root, settings.searchPath);
    const post = async (body: string, withinMs: number) => {
      const posted = await client.post(body, withinMs, settings.traceparent);
      this.#rejections.note(posted, body);
      return posted.status;
    };
    this.#pump = new Pump(this.#queue, { post }, onStop, probeMs);
    this.#timers = [setInterval(() => this.#watchStalls(), 1_000), setInterval(() => this.#beat(), beatMs)];
  }

  /** Called once the console is found. */
  live(): void {
    Atomics.store(this.#state, slot.phase, phase.live);
    this.#pump.wake();
  }

  push(events: readonly MonitorEvent[]): void {
    for (const event of events) this.#push(event);
    if (this.#isLive) this.#pump.wake();
  }

  /** Sends the remaining events while the exiting process waits. */
  drain(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    return this.#pump.drain();
  }

  /** Continues with events that the console did not accept in that time, while the process lives. */
  finish(): Promise<void> {
    return this.#pump.finish();
  }

  /** Reports that nothing more of the run will be sent. */
  end(computedMs: number): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#rejections.print();
    Atomics.store(this.#state, slot.computedMs, computedMs);
    Atomics.store(this.#state, slot.phase, phase.over);
    Atomics.notify(this.#state, slot.phase);
  }

  get #isLive(): boolean {
    return Atomics.load(this.#state, slot.phase) === phase.live;
  }

  #push(event: MonitorEvent): void {
    this.#pulse.see(event, Date.now());
    if (event.type === 'run_started' || event.type === 'participant_started') this.#isBeating = true;
    if (event.type === 'run_finished' || event.type === 'participant_finished') this.#isBeating = false;
    this.#queue.push(event.type === 'run_started' ? this.#withChanges(event) : event);
  }

  /** Checks once, in parallel, whether the working tree has changes; the start of the run is then sent again with the result. */
  #withChanges(event: RunStarted): RunStarted {
    const known = this.#changes.known();
    if (known === undefined)
      this.#changes.ask((dirty) => {
        if (dirty === null || !this.#isBeating) return;
        this.#queue.push({ ...event, dirty });
        if (this.#isLive) this.#pump.wake();
      });
    return known == null ? event : { ...event, dirty: known };
  }

  /** A test that always takes long is not stalled: the console is asked for earlier durations, but only when needed. */
  async #watchStalls(): Promise<void> {
    const late = this.#pulse.late(Date.now());
    if (late.length === 0 || this.#isAsking || !this.#isLive) return;
    this.#isAsking = true;
    const expected = await this.#client.expected(this.#settings.runId, 5_000);
    for (const uid of late) this.#pulse.allow(uid, 2 * (expected.get(uid) ?? 0));
    for (const stall of this.#pulse.stalls(Date.now())) this.#push(stall);
    this.#isAsking = false;
    if (this.#queue.size > 0) this.#pump.wake();
  }

  #beat(): void {
    if (!this.#isBeating) return;
    const now = Date.now();
    this.#push({ type: 'run_heartbeat', runId: this.#settings.runId, at: new Date(now).toISOString() });
    if (this.#settings.counts) this.#push(this.#pulse.progress(now));
    this.#pump.wake();
  }
}
