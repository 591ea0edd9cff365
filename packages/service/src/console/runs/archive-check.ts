import { type BoardRun, isLive, type RunRegistry } from './run-registry.ts';
import type { RunStore } from './run-store.ts';

type ArchiveCheckDeps = {
  store: Pick<RunStore, 'damageOf'>;
  registry: RunRegistry;
  warn: (details: object, text: string) => void;
};

/** How many archives are checked at a time: ten thousand take about a quarter of an hour. */
const checkedAtOnce = 50;

/** Finds archives that were removed or shortened while the service runs. */
export class ArchiveCheck {
  readonly #deps: ArchiveCheckDeps;
  #last = '';

  constructor(deps: ArchiveCheckDeps) {
    this.#deps = deps;
  }

  /** Checks the next few ended runs, one after the other; after the last one it begins again. */
  readonly some = async (): Promise<void> => {
    const all = this.#deps.registry.all();
    const from = all.findIndex(({ runId }) => runId === this.#last) + 1;
    const next = all.slice(from, from + checkedAtOnce);
    this.#last = from + checkedAtOnce < all.length ? (next.at(-1)?.runId ?? '') : '';
    for (const boardRun of next) if (!isLive(boardRun) && !boardRun.unreadable) await this.of(boardRun);
  };

  /** Whether the archive of a run is damaged; the run is unreadable from then on. */
  async of(boardRun: BoardRun): Promise<boolean> {
    const { store, registry, warn } = this.#deps;
    const { runId } = boardRun;
    const reason = await store.damageOf(runId).catch(() => null);
    if (reason === null || registry.get(runId) !== boardRun || boardRun.unreadable) return boardRun.unreadable;
    registry.recordUnreadable(boardRun);
    warn({ runId, reason }, 'the archive of a run cannot be read; the run is unreadable and proves nothing');
    return true;
  }
}
