import type { BoardRun } from './board-run.ts';
import { median } from './expected-duration.ts';
import { current } from './fold-attempts.ts';
import { suiteKey } from './retention.ts';
import type { RunCache } from './run-cache.ts';
import type { RunRegistry } from './run-registry.ts';
import type { ExpectedMs } from './run-views.ts';

/** So many runs tell how long a scenario takes, and no more bytes of archives than that are read for it. */
const runsAtMost = 3;
const bytesAtMost = 16 * 1024 * 1024;

/** How long each scenario of a suite took lately. Kept until other runs are the latest. */
export class ScenarioHistory {
  readonly #registry: RunRegistry;
  readonly #cache: RunCache;
  readonly #cached = new Map<string, { from: string; expected: ExpectedMs }>();

  constructor(registry: RunRegistry, cache: RunCache) {
    this.#registry = registry;
    this.#cache = cache;
  }

  async expectedFor(boardRun: BoardRun): Promise<ExpectedMs> {
    const key = suiteKey(boardRun.head);
    const latest = this.#latest(boardRun, key);
    const from = latest.map(({ runId }) => runId).join();
    const cached = this.#cached.get(key);
    if (cached?.from === from) return cached.expected;
    const durations = new Map<string, number[]>();
    for (const run of await Promise.all(latest.map((one) => this.#cache.load(one)))) {
      for (const scenario of run?.scenarios.values() ?? []) {
        const { durationMs, outcome } = current(scenario);
        if (durationMs === null || outcome === 'Skipped') continue;
        const list = durations.get(scenario.uid);
        if (list) list.push(durationMs);
        else durations.set(scenario.uid, [durationMs]);
      }
    }
    const expected: ExpectedMs = (uid) => median(durations.get(uid) ?? []);
    this.#cached.set(key, { from, expected });
    return expected;
  }

  #latest(boardRun: BoardRun, key: string): BoardRun[] {
    let bytes = 0;
    return this.#registry
      .all()
      .filter((other) => other !== boardRun && other.head.finish !== null && suiteKey(other.head) === key)
      .slice(0, runsAtMost)
      .filter((other) => {
        bytes += other.bytes;
        return bytes <= bytesAtMost;
      });
  }
}
