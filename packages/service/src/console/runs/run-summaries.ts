import { iso } from '../../kernel/clock.ts';
import type { RunSummary } from './contract.ts';
import { expectedRunDurations } from './expected-duration.ts';
import { type BoardRun, type RunRegistry, receivedAtOf } from './run-registry.ts';
import { type RunHeadline, summaryOf } from './run-views.ts';

type SummarySources = Pick<BoardRun, 'head' | 'orphaned' | 'repositoryName' | 'heardAtMs' | 'unreadable'> & {
  expectedMs: number | null;
};

const isSame = (one: SummarySources, other: SummarySources): boolean =>
  one.head === other.head &&
  one.orphaned === other.orphaned &&
  one.repositoryName === other.repositoryName &&
  one.heardAtMs === other.heardAtMs &&
  one.unreadable === other.unreadable &&
  one.expectedMs === other.expectedMs;

/** Summaries of runs for lists and messages, including the facts that only the board knows. */
export class RunSummaries {
  readonly #registry: RunRegistry;
  readonly #host: string;
  /** Lists are read often, and few of their runs have changed. */
  readonly #made = new WeakMap<BoardRun, { from: SummarySources; summary: RunSummary }>();
  #expected: { asOf: number; of: (headline: RunHeadline) => number | null } | null = null;

  constructor(registry: RunRegistry, host: string) {
    this.#registry = registry;
    this.#host = host;
  }

  of(boardRun: BoardRun): RunSummary {
    const { head, orphaned, repositoryName, heardAtMs, unreadable } = boardRun;
    const made = this.#made.get(boardRun);
    const expectedMs = this.#expectedMs(head);
    const from = { head, orphaned, repositoryName, heardAtMs, unreadable, expectedMs };
    if (made && isSame(made.from, from)) return made.summary;
    const summary = summaryOf(head, {
      ...from,
      host: this.#host,
      lastEventAt: iso(heardAtMs),
      receivedAt: receivedAtOf(boardRun),
      endedAt: head.endedAt,
      publisher: head.publisher,
      trust: head.trust,
      late: head.late,
    });
    this.#made.set(boardRun, { from, summary });
    return summary;
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
