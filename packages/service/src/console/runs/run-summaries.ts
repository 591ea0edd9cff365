import { iso } from '../../kernel/clock.ts';
import type { BoardRun } from './board-run.ts';
import type { RunSummary } from './contract.ts';
import { expectedRunDurations } from './expected-duration.ts';
import type { RunRegistry } from './run-registry.ts';
import { type RunHeadline, summaryOf } from './run-views.ts';

/** A run as lists and messages show it, with what only the board knows of it. */
export class RunSummaries {
  readonly #registry: RunRegistry;
  readonly #host: string;
  #expected: { asOf: number; of: (headline: RunHeadline) => number | null } | null = null;

  constructor(registry: RunRegistry, host: string) {
    this.#registry = registry;
    this.#host = host;
  }

  of(boardRun: BoardRun): RunSummary {
    return summaryOf(boardRun.head, {
      host: this.#host,
      orphaned: boardRun.orphaned,
      repositoryName: boardRun.repositoryName,
      lastEventAt: iso(boardRun.heardAtMs),
      expectedMs: this.#expectedMs(boardRun.head),
      counted: boardRun.counted,
    });
  }

  #expectedMs(headline: RunHeadline): number | null {
    const { endings: asOf } = this.#registry;
    if (this.#expected?.asOf !== asOf) {
      const headlines = this.#registry.all().map(({ head }) => head);
      this.#expected = { asOf, of: expectedRunDurations(headlines) };
    }
    return this.#expected.of(headline);
  }
}
