import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/coalesced.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Policies } from './policies.ts';
import { ageCutoff, beyondAgeLimit, beyondBoardLimit, beyondRunLimit } from './retention.ts';
import type { RunAnnouncer } from './run-announcer.ts';
import { type BoardRun, isLive, isSilent, type RunRegistry } from './run-registry.ts';
import type { RunStore } from './run-store.ts';
import type { RunWriter } from './run-writer.ts';

type EjectorDeps = {
  store: RunStore;
  registry: RunRegistry;
  writer: RunWriter;
  announcer: RunAnnouncer;
  /** The test history; a run is recorded in it before it is ejected. */
  history: { flushSuiteOf(boardRun: BoardRun): Promise<void> };
  clock: Clock;
  policies: Policies;
  warn: (details: object, text: string) => void;
  /** Resolves once the ended runs were examined as evidence; false if that was not possible. */
  settle: () => Promise<boolean>;
};

/** Ejects runs from the board, on request and by the policies. A live run is never ejected. */
export class Ejector {
  readonly #store: RunStore;
  readonly #registry: RunRegistry;
  readonly #writer: RunWriter;
  readonly #announcer: RunAnnouncer;
  readonly #history: EjectorDeps['history'];
  readonly #clock: Clock;
  readonly #policies: Policies;
  readonly #warn: (details: object, text: string) => void;
  readonly #settle: () => Promise<boolean>;

  constructor(deps: EjectorDeps) {
    this.#store = deps.store;
    this.#registry = deps.registry;
    this.#writer = deps.writer;
    this.#announcer = deps.announcer;
    this.#history = deps.history;
    this.#clock = deps.clock;
    this.#policies = deps.policies;
    this.#warn = deps.warn;
    this.#settle = deps.settle;
  }

  async ejectOne(runId: string, by: string): Promise<Refusal | undefined> {
    const boardRun = this.#registry.get(runId);
    if (!boardRun) return runNotFound(runId);
    if (isLive(boardRun)) return stillLive(boardRun.runId);
    const end = await this.#eject(boardRun, by);
    if (end === 'taken') this.#announcer.ejected([boardRun.runId]);
    if (end === 'stuck') return cannotMove(boardRun.runId);
    return end === 'taken' || !this.#registry.get(runId) ? undefined : stillLive(boardRun.runId);
  }

  /**
   * Returns the ids of the ejected runs. A run that became live meanwhile, or whose archive cannot be moved, stays. `by` is the
   * person who asked for it, null for a policy.
   */
  async ejectMany(entries: readonly BoardRun[], by: string | null): Promise<string[]> {
    const ejected: string[] = [];
    for (const boardRun of entries) {
      if ((await this.#eject(boardRun, by)) === 'taken') ejected.push(boardRun.runId);
    }
    this.#announcer.ejected(ejected);
    return ejected;
  }

  async #eject(boardRun: BoardRun, by: string | null): Promise<'taken' | 'live' | 'stuck'> {
    await this.#writer.whenIdle(boardRun.runId);
    await this.#history.flushSuiteOf(boardRun);
    if (isLive(boardRun) || this.#registry.get(boardRun.runId) !== boardRun) return 'live';
    const moved = this.#writer.whileIdle(boardRun.runId, async () => {
      await this.#store.eject(boardRun.runId, this.#clock.wall(), by);
      this.#registry.remove(boardRun);
    });
    if (!moved) return 'live';
    try {
      await moved;
      return 'taken';
    } catch (err) {
      this.#warn(
        { err, runId: boardRun.runId },
        'an archive could not be moved on the disk; its run stays on the board',
      );
      return 'stuck';
    }
  }

  /** Marks a silent run as orphaned; a later event makes it live again. */
  async sweepSilent(): Promise<void> {
    const now = this.#clock.monotonic();
    const silent = [...this.#registry.live].filter(({ heardAt }) =>
      isSilent(heardAt, now, this.#policies.orphanSeconds),
    );
    for (const boardRun of silent) {
      boardRun.orphaned = true;
      this.#registry.ended(boardRun);
    }
    if (silent.length > 0) await this.sweepBoard();
  }

  readonly sweepBoard: () => Promise<void> = coalesced(async () => {
    const { retentionRuns, maxRuns } = this.#policies;
    await this.#ejectSeen(beyondRunLimit(this.#registry.all(), retentionRuns));
    await this.#ejectSeen(beyondBoardLimit(this.#registry.all(), maxRuns));
  }).run;

  /** A policy ejects nothing before it was examined as evidence; what it may not eject now it ejects at its next time. */
  async #ejectSeen(entries: readonly BoardRun[]): Promise<void> {
    if (entries.length > 0 && (await this.#settle())) await this.ejectMany(entries, null);
  }

  async sweepAge(): Promise<void> {
    const { retentionDays } = this.#policies;
    const now = this.#clock.wall();
    await this.#ejectSeen(beyondAgeLimit(this.#registry.all(), retentionDays, now));
    const cutoff = ageCutoff(retentionDays, now);
    if (cutoff !== null) await this.#store.deleteEjected(cutoff);
  }
}

export const runNotFound = (runId: string, ejectedBy: string | null = null): Refusal =>
  ejectedBy === null
    ? refuse('run_not_found', `Unknown run ${runId}. GET /api/runs lists the runs.`)
    : refuse('run_not_found', `The run ${runId} was ejected by ${ejectedBy}. GET /api/runs lists the runs.`, {
        ejectedBy,
      });

const cannotMove = (runId: string): Refusal =>
  refuse(
    'store_unavailable',
    `The archive of ${runId} could not be moved, so the run stays. The log has the reason; try again once the disk works.`,
  );

const stillLive = (runId: string): Refusal =>
  refuse('run_live', `The run ${runId} is still live. Eject it once it has finished or its publisher has gone silent.`);
