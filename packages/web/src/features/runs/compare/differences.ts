import type { RunDetail, ScenarioView } from '../../../live/wire.ts';

export const differenceKinds = ['broken', 'still', 'missing', 'slower', 'fixed', 'added'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];
export type Difference = { uid: string; kind: DifferenceKind; before: ScenarioView | null; after: ScenarioView | null };

/** A scenario counts as slower from 1.5 times its duration, and only above the noise of a busy host. */
const slowerFactor = 1.5;
const slowerMs = 100;

/** The changes from one run to another, worst first. Each scenario is listed once, with its most important change. */
export function differencesOf(before: RunDetail, after: RunDetail): Difference[] {
  const earlier = new Map(before.scenarios.map((scenario) => [scenario.uid, scenario]));
  const found: Difference[] = [];
  for (const scenario of after.scenarios) {
    const old = earlier.get(scenario.uid) ?? null;
    earlier.delete(scenario.uid);
    const kind = differenceKind(old && verdictOf(old, before), verdictOf(scenario, after), old, scenario);
    if (kind) found.push({ uid: scenario.uid, kind, before: old, after: scenario });
  }
  // A live run has not reached all scenarios yet.
  if (after.run.state !== 'running')
    for (const [uid, old] of earlier)
      if (old.outcome !== 'Skipped') found.push({ uid, kind: 'missing', before: old, after: null });
  return found.sort((a, b) => differenceKinds.indexOf(a.kind) - differenceKinds.indexOf(b.kind));
}

type Verdict = 'passed' | 'failed' | 'skipped' | 'open';

function verdictOf({ outcome }: ScenarioView, { run }: RunDetail): Verdict {
  if (outcome === 'CleanPass' || outcome === 'PassOnRetry') return 'passed';
  if (outcome === 'Skipped') return 'skipped';
  return outcome === null && run.state === 'running' ? 'open' : 'failed';
}

function differenceKind(
  before: Verdict | null,
  after: Verdict,
  old: ScenarioView | null,
  now: ScenarioView,
): DifferenceKind | null {
  if (after === 'open') return null;
  if (after === 'failed') return before === 'failed' ? 'still' : 'broken';
  if (after === 'skipped') return before === 'passed' || before === 'failed' ? 'missing' : null;
  if (before === 'failed') return 'fixed';
  if (before === null || before === 'skipped') return 'added';
  return isSlower(old?.durationMs ?? null, now.durationMs) ? 'slower' : null;
}

const isSlower = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && after > before * slowerFactor && after - before >= slowerMs;
