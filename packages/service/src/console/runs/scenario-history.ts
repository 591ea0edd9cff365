import type { Entry } from './entry.ts';
import { median } from './expected.ts';
import { current } from './fold-attempts.ts';
import type { RunRegistry } from './registry.ts';
import { boardKey } from './retention.ts';
import type { ExpectedMs } from './views.ts';

/** So many runs tell how long a scenario takes, and no more bytes of archives than that are read for it. */
const runsAtMost = 3;
const bytesAtMost = 16 * 1024 * 1024;

/** How long each scenario of a suite took lately. Kept until other runs are the latest. */
export class ScenarioHistory {
  readonly #registry: RunRegistry;
  readonly #known = new Map<string, { from: string; expected: ExpectedMs }>();

  constructor(registry: RunRegistry) {
    this.#registry = registry;
  }

  async expectedFor(entry: Entry): Promise<ExpectedMs> {
    const key = boardKey(entry.head);
    const latest = this.#latest(entry, key);
    const from = latest.map(({ runId }) => runId).join();
    const known = this.#known.get(key);
    if (known?.from === from) return known.expected;
    const durations = new Map<string, number[]>();
    for (const run of await Promise.all(latest.map((one) => this.#registry.load(one)))) {
      for (const scenario of run?.scenarios.values() ?? []) {
        const { durationMs, outcome } = current(scenario);
        if (durationMs === null || outcome === 'Skipped') continue;
        const list = durations.get(scenario.uid);
        if (list) list.push(durationMs);
        else durations.set(scenario.uid, [durationMs]);
      }
    }
    const expected: ExpectedMs = (uid) => median(durations.get(uid) ?? []);
    this.#known.set(key, { from, expected });
    return expected;
  }

  #latest(entry: Entry, key: string): Entry[] {
    let bytes = 0;
    return this.#registry
      .all()
      .filter((other) => other !== entry && other.head.finish !== null && boardKey(other.head) === key)
      .slice(0, runsAtMost)
      .filter((other) => {
        bytes += other.bytes;
        return bytes <= bytesAtMost;
      });
  }
}
