import { current } from '../fold-attempts.ts';
import type { Run } from '../run.ts';
import { retryReasonsOf } from '../run-views.ts';
import type { TestRecord } from './suite-history.ts';

/** No more tests of one run are written down, no longer names, and no longer reasons. */
const testsAtMost = 100_000;
const longestName = 2_000;
const longestReason = 200;

/** The verdicts of a run as the history keeps them. */
export function* recordsOf(run: Run): Iterable<TestRecord> {
  let count = 0;
  for (const scenario of run.scenarios.values()) {
    if (scenario.uid.length > longestName) continue;
    count += 1;
    if (count > testsAtMost) return;
    const { outcome, durationMs, attempts, number } = current(scenario);
    const wasRetried = scenario.retries !== null || number > 1 || outcome === 'PassOnRetry';
    yield {
      uid: scenario.uid,
      outcome,
      durationMs,
      attempts: Math.max(attempts ?? 1, number, wasRetried ? 2 : 1),
      reason: wasRetried ? (retryReasonsOf(scenario).at(-1) ?? '').slice(0, longestReason) || null : null,
    };
  }
}
