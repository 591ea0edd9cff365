import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Delivery } from './delivery.ts';
import type { Entry } from './entry.ts';
import type { Feed } from './feed.ts';
import { isLive, isSilent } from './liveness.ts';
import type { RunRegistry } from './registry.ts';
import { ageCutoff, overAge, overBoard } from './retention.ts';
import { shared } from './shared.ts';

export type Policies = { orphanSeconds: number; retentionDays: number; retentionRuns: number };

type EjectorParts = {
  registry: RunRegistry;
  delivery: Delivery;
  feed: Feed;
  clock: Clock;
  policies: Policies;
  warn: (details: object, text: string) => void;
};

/** Takes runs off the board: when asked to, and by the policies. A live run is never taken. */
export class Ejector {
  readonly #registry: RunRegistry;
  readonly #delivery: Delivery;
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #policies: Policies;
  readonly #warn: (details: object, text: string) => void;

  constructor(parts: EjectorParts) {
    this.#registry = parts.registry;
    this.#delivery = parts.delivery;
    this.#feed = parts.feed;
    this.#clock = parts.clock;
    this.#policies = parts.policies;
    this.#warn = parts.warn;
  }

  async one(runId: string): Promise<Refusal | undefined> {
    const entry = this.#registry.get(runId);
    if (!entry) return noRun(runId);
    if (isLive(entry)) return live(entry.runId);
    const end = await this.#take(entry);
    if (end === 'taken') this.#feed.ejected([entry.runId]);
    if (end === 'stuck') return stuck(entry.runId);
    return end === 'taken' || !this.#registry.get(runId) ? undefined : live(entry.runId);
  }

  /** Tells exactly which it took: what came to life meanwhile, or cannot be moved, stays. */
  async many(entries: readonly Entry[]): Promise<string[]> {
    const taken: string[] = [];
    for (const entry of entries) {
      if ((await this.#take(entry)) === 'taken') taken.push(entry.runId);
    }
    this.#feed.ejected(taken);
    return taken;
  }

  async #take(entry: Entry): Promise<'taken' | 'live' | 'stuck'> {
    await this.#delivery.released(entry.runId);
    if (isLive(entry) || this.#registry.get(entry.runId) !== entry) return 'live';
    const moved = this.#delivery.whileIdle(entry.runId, async () => {
      await this.#registry.archive.eject(entry.runId, this.#clock.wall());
      this.#registry.remove(entry);
    });
    if (!moved) return 'live';
    try {
      await moved;
      return 'taken';
    } catch (err) {
      this.#warn({ err, runId: entry.runId }, 'an archive could not be moved on the disk; its run stays on the board');
      return 'stuck';
    }
  }

  /** Silence ends a run, until its publisher is heard of again. */
  async sweepSilent(): Promise<void> {
    const now = this.#clock.monotonic();
    const silent = this.#registry
      .all()
      .filter((entry) => isLive(entry) && isSilent(entry.heardAt, now, this.#policies.orphanSeconds));
    for (const entry of silent) {
      entry.orphaned = true;
      this.#registry.ended(entry);
    }
    if (silent.length > 0) await this.sweepBoard();
  }

  readonly sweepBoard: () => Promise<void> = shared(async () => {
    await this.many(overBoard(this.#registry.all(), this.#policies.retentionRuns));
  });

  async sweepAge(): Promise<void> {
    const { retentionDays } = this.#policies;
    const now = this.#clock.wall();
    await this.many(overAge(this.#registry.all(), retentionDays, now));
    const cutoff = ageCutoff(retentionDays, now);
    if (cutoff !== null) await this.#registry.archive.deleteEjected(cutoff);
  }
}

export const noRun = (runId: string): Refusal =>
  refuse('run_not_found', `There is no run ${runId} here. GET /api/runs lists those there are.`);

const stuck = (runId: string): Refusal =>
  refuse(
    'store_unavailable',
    `The archive of ${runId} could not be moved, so the run stays. The log has the reason; try again once the disk is well.`,
  );

const live = (runId: string): Refusal =>
  refuse('run_live', `The run ${runId} is still live. Eject it once it has finished or its publisher has gone silent.`);
