import type { Clock } from '../../kernel/clock.ts';
import { type JudgedBatch, type RejectedEvent, type RunBatch, sortArrivals } from './arrivals.ts';
import type { MonitorEvent } from './events.ts';
import { foldEvent } from './fold.ts';
import { scenarioOf } from './fold-scenarios.ts';
import { type EventSlice, type JoinLines, type TimeBudget, weightOf } from './ports.ts';
import { foldStamp, newRun, type Run } from './run.ts';
import type { RunAnnouncer } from './run-announcer.ts';
import type { RunCache } from './run-cache.ts';
import type { BoardRun, RunRegistry } from './run-registry.ts';
import type { RunStore } from './run-store.ts';

type QueuedBatch = RunBatch & { done: (rejected: readonly RejectedEvent[]) => void; failed: (error: unknown) => void };
/** Called with events that start or end a run or end a scenario, once they are durable and folded. */
export type OnFolded = (boardRun: BoardRun, events: readonly MonitorEvent[]) => void;

type RunWriterDeps = {
  store: RunStore;
  clock: Clock;
  lines: JoinLines;
  registry: RunRegistry;
  cache: RunCache;
  announcer: RunAnnouncer;
  timeBudget: () => TimeBudget;
  attachmentBytes: number;
  /** Resolves once a run that was stored before the start is on the board. */
  whenRead: (runId: string) => Promise<void>;
};

const bytesAtOnce = 8 * 1024 * 1024;

/**
 * One queue per run: waiting batches are appended together, flushed once, folded in that order, then answered.
 * The archive and the fold therefore never disagree, even with several senders.
 */
export class RunWriter {
  readonly #deps: RunWriterDeps;
  readonly #registry: RunRegistry;
  readonly #queues = new Map<string, QueuedBatch[]>();
  readonly #busy = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<OnFolded>();

  constructor(deps: RunWriterDeps) {
    this.#deps = deps;
    this.#registry = deps.registry;
  }

  /** Resolves with the rejected events once the batch is on disk and folded; rejects if it could not be written. */
  write(runId: string, batch: RunBatch): Promise<readonly RejectedEvent[]> {
    return new Promise((done, failed) => {
      const queue = this.#queues.get(runId);
      // Runs of one batch arrive in the order of the batch, however long it takes to look for their archives.
      const arrivedAtMs = queue || this.#registry.get(runId) ? undefined : this.#registry.nextArrivalMs();
      const waiting = { ...batch, arrivedAtMs, done, failed };
      if (queue) queue.push(waiting);
      else {
        const started = [waiting];
        this.#queues.set(runId, started);
        void this.#work(runId, started);
      }
    });
  }

  isWriting(runId: string): boolean {
    return this.#queues.has(runId);
  }

  /** Runs `work` while nothing is written to the run. Returns undefined when writes are queued or other work runs. */
  whileIdle<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer> | undefined {
    if (this.#queues.has(runId) || this.#busy.has(runId)) return undefined;
    const busy = work().finally(() => this.#busy.delete(runId));
    this.#busy.set(runId, busy);
    return busy;
  }

  /** Resolves once no other work runs on the run. */
  async whenIdle(runId: string): Promise<void> {
    for (let busy = this.#busy.get(runId); busy; busy = this.#busy.get(runId)) await busy.catch(() => undefined);
  }

  onFolded(listener: OnFolded): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once all queues are empty. */
  async drained(): Promise<void> {
    while (this.#queues.size > 0) await this.#deps.timeBudget().pause();
  }

  async #work(runId: string, queue: QueuedBatch[]): Promise<void> {
    while (queue.length > 0) {
      const group = takeGroup(queue);
      try {
        await this.#busy.get(runId)?.catch(() => undefined);
        await this.#writeGroup(runId, group);
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#queues.delete(runId);
  }

  async #writeGroup(runId: string, group: readonly QueuedBatch[]): Promise<void> {
    if (!this.#registry.get(runId)) await this.#deps.whenRead(runId);
    const boardRun = this.#registry.boardRunFor(runId);
    const unpin = this.#deps.cache.pin(boardRun);
    try {
      await this.#writeTo(boardRun, group);
    } finally {
      unpin();
    }
  }

  async #writeTo(boardRun: BoardRun, group: readonly QueuedBatch[]): Promise<void> {
    const { store, cache } = this.#deps;
    const { runId } = boardRun;
    const run = (await cache.load(boardRun)) ?? newRun(runId);
    const hasRoom = cache.hasRoomFor(boardRun);
    const arrivals = await sortArrivals(boardRun, run, group, { ...this.#deps, hasRoom });
    const { pieces, stamp } = arrivals;
    const isNoted = Object.keys(stamp).length > 0;
    if (pieces.length > 0 || isNoted) await store.append(runId, pieces, isNoted ? stamp : undefined);
    foldStamp(run, stamp);
    for (const [index, sorted] of arrivals.batches.entries()) {
      if (sorted.accepted.length > 0) await this.#fold(boardRun, run, sorted);
      else if (sorted.rejected.length > 0) this.#registry.recordLate(boardRun, run);
      group[index]?.done(sorted.rejected);
    }
  }

  async #fold(boardRun: BoardRun, run: Run, { accepted, bytes }: JudgedBatch): Promise<void> {
    const { announcer } = this.#deps;
    const timeBudget = this.#deps.timeBudget();
    const weight = weightOf(bytes / accepted.length);
    const milestoneEvents: MonitorEvent[] = [];
    for (const { event } of accepted) {
      if (event) {
        foldEvent(run, event);
        if (milestones.has(event.type)) milestoneEvents.push(...asFolded(run, event));
      }
      if (timeBudget.isSpent(weight)) await timeBudget.pause();
    }
    this.#registry.recordEvents(boardRun, run, bytes);
    announcer.events(boardRun.runId, accepted);
    const perCall = weight > 1 ? 1 : eventsPerCall;
    for (let from = 0; from < milestoneEvents.length; from += perCall) {
      const events = milestoneEvents.slice(from, from + perCall);
      for (const listener of this.#listeners) listener(boardRun, events);
      if (timeBudget.isSpent(weight * events.length)) await timeBudget.pause();
    }
  }
}

const milestones: ReadonlySet<MonitorEvent['type']> = new Set(['run_started', 'run_finished', 'scenario_finished']);
const eventsPerCall = 500;

/**
 * A verdict as it was folded, because a worker that was started for a retry reports a clean pass. A repeated verdict of
 * an earlier attempt is not announced again.
 */
function asFolded(run: Run, event: MonitorEvent): MonitorEvent[] {
  if (event.type !== 'scenario_finished') return [event];
  const { outcome, finishedAt } = scenarioOf(run, event.uid).cursor;
  if (finishedAt !== (event.at ?? null)) return [];
  return outcome === event.outcome ? [event] : [{ ...event, outcome }];
}

const bytesOf = (slices: readonly EventSlice[]): number => slices.reduce((sum, { from, to }) => sum + to - from, 0);

function takeGroup(queue: QueuedBatch[]): QueuedBatch[] {
  let bytes = 0;
  let count = 0;
  for (const { slices } of queue) {
    bytes += bytesOf(slices);
    if (count > 0 && bytes > bytesAtOnce) break;
    count += 1;
  }
  return queue.splice(0, count);
}
