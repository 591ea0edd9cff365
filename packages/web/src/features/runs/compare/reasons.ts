import type { ScenarioView, TestSummary } from '../../../live/wire.ts';
import { formatNumber } from '../../../ui/format-count.ts';
import { formatAge, formatDuration } from '../../../ui/time.tsx';
import { shareOfChanges } from '../../tests/rates.ts';
import type { Difference } from './differences.ts';

/** The results of a test in the newest runs of its suite, as far as they are known. */
export type TestFacts = Pick<TestSummary, 'runs' | 'retried' | 'flipRate' | 'sinceAt' | 'sinceCommit'>;

/** Why a test differs between two runs, the simplest reason first. */
export function reasonsOf(difference: Difference, facts: TestFacts | undefined, now: number): string[] {
  const reasons = byKind[difference.kind](difference, facts, now);
  return reasons.filter((reason): reason is string => reason !== null);
}

type Reasons = (difference: Difference, facts: TestFacts | undefined, now: number) => (string | null)[];

const byKind: Record<Difference['kind'], Reasons> = {
  broken: ({ before, after }, facts) => [messageOf(after), whatWas(before), flakyBefore(facts)],
  still: ({ before, after }, facts, now) => [failsSince(facts, now), anotherError(before, after), messageOf(after)],
  fixed: ({ after }, facts) => [
    after?.outcome === 'PassOnRetry' ? 'passed only on retry' : 'failed before, passes now',
    flakyBefore(facts),
  ],
  missing: ({ after }) => [after ? `skipped now${after.skipReason ? `: ${after.skipReason}` : ''}` : 'not in this run'],
  added: ({ before, after }, facts) => [
    before ? 'was skipped before' : 'not in the other run',
    after?.outcome === 'PassOnRetry' ? 'passed only on retry' : null,
    flakyBefore(facts),
  ],
  slower: ({ before, after }) => [slowerBy(before?.durationMs ?? 0, after?.durationMs ?? 0, after?.expectedMs ?? null)],
};

/** No reason for a test that passed before, because "new failure" already implies it. */
const whatWas = (before: ScenarioView | null): string | null => {
  if (before === null) return 'not in the other run';
  return before.outcome === 'Skipped' ? 'was skipped before' : null;
};

/** A test that flips or was retried may differ without any effect of the change. */
function flakyBefore(facts: TestFacts | undefined): string | null {
  if (!facts || (facts.retried === 0 && facts.flipRate === 0)) return null;
  const how = [
    ...(facts.retried > 0 ? [`retried in ${facts.retried} of ${facts.runs} runs`] : []),
    ...(facts.flipRate > 0 ? [`changed in ${shareOfChanges(facts.flipRate, facts.runs)}`] : []),
  ];
  return `flaky before: ${how.join(', ')}`;
}

const failsSince = (facts: TestFacts | undefined, now: number): string | null =>
  facts?.sinceAt
    ? `failing for ${formatAge(Math.max(0, now - Date.parse(facts.sinceAt)))}${facts.sinceCommit ? `, since ${facts.sinceCommit.slice(0, 8)}` : ''}`
    : null;

const firstLine = (scenario: ScenarioView | null): string => scenario?.errorMessage?.split('\n', 1)[0]?.trim() ?? '';

const messageOf = (after: ScenarioView | null): string | null =>
  after?.outcome === null ? 'no verdict' : firstLine(after) || null;

const anotherError = (before: ScenarioView | null, after: ScenarioView | null): string | null =>
  firstLine(before) && firstLine(after) && firstLine(before) !== firstLine(after)
    ? 'a different error than before'
    : null;

const times = (factor: number): string => `${formatNumber(factor, 1)} ×`;

/** Compared with its usual duration if that is known, because the other run may have been unusual. */
function slowerBy(before: number, after: number, usual: number | null): string {
  if (usual === null || usual <= 0)
    return `${formatDuration(after - before)} more, ${times(after / Math.max(before, 1))} before`;
  if (after <= usual * 1.1) return `it usually takes ${formatDuration(usual)}; the other run was faster`;
  return `${formatDuration(after - usual)} more than usual, ${times(after / usual)} ${formatDuration(usual)}`;
}
