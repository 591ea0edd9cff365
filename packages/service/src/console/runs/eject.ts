import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Policies } from './policies.ts';
import { ageCutoff, beyondAgeLimit, beyondBoardLimit, beyondRunLimit } from './retention.ts';
import type { RunAnnouncer } from './run-announcer.ts';
import { type BoardRun, isLive, isSilent, type RunRegistry } from './run-registry.ts';
import type { RunStore } from './run-store.ts';
import type { RunHeadline } from './run-views.ts';
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
  /** Resolves once the ended runs have been examined as evidence; false if that was not possible. */
  settle: () => Promise<boolean>;
};

/** Ejects runs from the board, on request and by the policies. A live run is never ejected. */
export class Ejector {
  readonly #deps: EjectorDeps;

  constructor(deps: EjectorDeps) {
    this.#deps = deps;
  }

  async ejectOne(runId: string, by: string): Promise<Refusal | undefined> {
    const boardRun = this.#deps.registry.get(runId);
    if (!boardRun) return runNotFound(runId);
    if (isLive(boardRun)) return stillLive(boardRun.runId);
    const end = await this.#eject(boardRun, by);
    if (end === 'ejected') this.#deps.announcer.ejected([boardRun.runId]);
    if (end === 'stuck') return cannotMove(boardRun.runId);
    return end === 'ejected' || !this.#deps.registry.get(runId) ? undefined : stillLive(boardRun.runId);
  }

  /**
   * Returns the ids of the ejected runs. A run that became live meanwhile, or whose archive cannot be moved, stays. `by` is the
   * person who asked for it, null for a policy. With `examined`, a run stays that has changed since.
   */
  async ejectMany(
    entries: readonly BoardRun[],
    by: string | null,
    examined?: ReadonlyMap<BoardRun, RunHeadline>,
  ): Promise<string[]> {
    const ejected: string[] = [];
    for (const boardRun of entries) {
      const end = await this.#eject(boardRun, by, examined?.get(boardRun));
      if (end === 'ejected') ejected.push(boardRun.runId);
    }
    this.#deps.announcer.ejected(ejected);
    return ejected;
  }

  async #eject(boardRun: BoardRun, by: string | null, examined?: RunHeadline): Promise<'ejected' | 'live' | 'stuck'> {
    const { writer, history, registry, store, clock, warn } = this.#deps;
    const { runId } = boardRun;
    await writer.whenIdle(runId);
    await history.flushSuiteOf(boardRun);
    if (isLive(boardRun) || registry.get(runId) !== boardRun) return 'live';
    if (examined && boardRun.head !== examined) return 'live';
    const moved = writer.whileIdle(runId, async () => {
      await store.eject(runId, clock.wall(), by);
      registry.remove(boardRun);
    });
    if (!moved) return 'live';
    try {
      await moved;
      return 'ejected';
    } catch (err) {
      warn({ err, runId }, 'an archive could not be moved on the disk; its run stays on the board');
      return 'stuck';
    }
  }

  /** Marks a silent run as orphaned; a later event makes it live again. */
  async sweepSilent(): Promise<void> {
    const { clock, registry, policies } = this.#deps;
    const now = clock.monotonic();
    const silent = [...registry.live].filter(({ heardAt }) => isSilent(heardAt, now, policies.orphanSeconds));
    for (const boardRun of silent) {
      boardRun.orphaned = true;
      registry.ended(boardRun);
    }
    if (silent.length > 0) await this.sweepBoard();
  }

  readonly sweepBoard: () => Promise<void> = coalesced(async () => {
    const { registry, policies } = this.#deps;
    const isOver = (boardRun: BoardRun) => !this.#mayResume(boardRun);
    await this.#ejectExamined(beyondRunLimit(registry.all(), policies.retentionRuns).filter(isOver));
    await this.#ejectExamined(beyondBoardLimit(registry.all(), policies.maxRuns).filter(isOver));
  }).run;

  /** After a start an unfinished run counts as orphaned, but its publisher may not have had time to send again. */
  #mayResume({ head, heardAt }: BoardRun): boolean {
    const { clock, policies } = this.#deps;
    return head.finish === null && !isSilent(heardAt, clock.monotonic(), policies.orphanSeconds);
  }

  /** A policy ejects no run before it has been examined as evidence; a run that must wait is ejected the next time the policy runs. */
  async #ejectExamined(entries: readonly BoardRun[]): Promise<void> {
    const examined = new Map(entries.map((boardRun) => [boardRun, boardRun.head]));
    if (entries.length > 0 && (await this.#deps.settle())) await this.ejectMany(entries, null, examined);
  }

  async sweepAge(): Promise<void> {
    const { clock, registry, store, policies } = this.#deps;
    const now = clock.wall();
    await this.#ejectExamined(beyondAgeLimit(registry.all(), policies.retentionDays, now));
    const cutoff = ageCutoff(policies.retentionDays, now);
    if (cutoff !== null) await store.deleteEjected(cutoff);
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
