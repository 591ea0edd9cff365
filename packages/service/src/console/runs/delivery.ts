import type { Entry } from './entry.ts';
import type { MonitorEvent } from './events.ts';
import type { Feed } from './feed.ts';
import { foldEvent } from './fold.ts';
import { scenarioOf } from './fold-attempts.ts';
import type { Breathe } from './ports.ts';
import type { Taken } from './read-event.ts';
import type { RunRegistry } from './registry.ts';
import { newRun, type Run } from './run.ts';

/** What one batch brings for one run. */
export type Parcel = { taken: readonly Taken[]; lines: readonly Uint8Array[] };

type Waiting = Parcel & { done: () => void; failed: (error: unknown) => void };
/** Told of what began or ended a run or ended a scenario, once it is durable and folded. */
export type OnFolded = (runId: string, events: readonly MonitorEvent[]) => void;

const bytesAtOnce = 8 * 1024 * 1024;

/**
 * One line of work per run: what waits is appended together and flushed once, then folded in that order, then answered.
 * So the archive and the fold never disagree, whoever sends at the same time.
 */
export class Delivery {
  readonly #registry: RunRegistry;
  readonly #feed: Feed;
  readonly #breathe: () => Breathe;
  readonly #queues = new Map<string, Waiting[]>();
  readonly #held = new Map<string, Promise<unknown>>();
  readonly #listeners = new Set<OnFolded>();

  constructor(registry: RunRegistry, feed: Feed, breathe: () => Breathe) {
    this.#registry = registry;
    this.#feed = feed;
    this.#breathe = breathe;
  }

  /** Resolves once the parcel is on disk and folded; rejects when it could not be written. */
  deliver(runId: string, parcel: Parcel): Promise<void> {
    return new Promise((done, failed) => {
      const queue = this.#queues.get(runId);
      const waiting = { ...parcel, done, failed };
      if (queue) queue.push(waiting);
      else {
        this.#queues.set(runId, [waiting]);
        void this.#work(runId);
      }
    });
  }

  /** Does something with a run while nothing is written to it. Undefined when something waits to be. */
  whileIdle<Answer>(runId: string, work: () => Promise<Answer>): Promise<Answer> | undefined {
    if (this.#queues.has(runId) || this.#held.has(runId)) return undefined;
    const held = work().finally(() => this.#held.delete(runId));
    this.#held.set(runId, held);
    return held;
  }

  /** Resolves once nobody holds the run any more. */
  async released(runId: string): Promise<void> {
    for (let held = this.#held.get(runId); held; held = this.#held.get(runId)) await held.catch(() => undefined);
  }

  onFolded(listener: OnFolded): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once nothing waits any more. */
  async drained(): Promise<void> {
    while (this.#queues.size > 0) await this.#breathe().pause();
  }

  async #work(runId: string): Promise<void> {
    const queue = this.#queues.get(runId) as Waiting[];
    while (queue.length > 0) {
      const group = takeSome(queue);
      try {
        await this.#held.get(runId)?.catch(() => undefined);
        const entry = this.#registry.entryOf(runId);
        const run = (await this.#registry.load(entry)) ?? newRun(runId);
        await this.#registry.archive.append(
          runId,
          group.flatMap(({ lines }) => lines),
        );
        await this.#fold(entry, run, group);
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#queues.delete(runId);
  }

  async #fold(entry: Entry, run: Run, group: readonly Waiting[]): Promise<void> {
    const breathe = this.#breathe();
    for (const { taken, lines, done } of group) {
      const told: MonitorEvent[] = [];
      for (const { event } of taken) {
        if (event) {
          foldEvent(run, event);
          if (milestones.has(event.type)) told.push(...asFolded(run, event));
        }
        if (breathe.due()) await breathe.pause();
      }
      this.#registry.heard(entry, run, bytesOf(lines));
      this.#feed.events(entry.runId, taken);
      for (let from = 0; from < told.length; from += toldAtOnce) {
        const events = told.slice(from, from + toldAtOnce);
        for (const listener of this.#listeners) listener(entry.runId, events);
        if (breathe.due(events.length)) await breathe.pause();
      }
      done();
    }
  }
}

const milestones: ReadonlySet<MonitorEvent['type']> = new Set(['run_started', 'run_finished', 'scenario_finished']);
const toldAtOnce = 500;

/**
 * A verdict as the run has it: a worker that was started for a retry calls its pass a clean one. One that the run knew
 * already, of an attempt before the current, is not told again.
 */
function asFolded(run: Run, event: MonitorEvent): MonitorEvent[] {
  if (event.type !== 'scenario_finished') return [event];
  const { outcome, finishedAt } = scenarioOf(run, event.uid as string).cursor;
  if (finishedAt !== (event.at ?? null)) return [];
  return outcome === event.outcome ? [event] : [{ ...event, outcome }];
}

const bytesOf = (lines: readonly Uint8Array[]): number => lines.reduce((sum, line) => sum + line.byteLength, 0);

function takeSome(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { lines } of queue) {
    bytes += bytesOf(lines);
    if (count > 0 && bytes > bytesAtOnce) break;
    count += 1;
  }
  return queue.splice(0, count);
}
