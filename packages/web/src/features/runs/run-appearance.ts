import { Hourglass, OctagonX, Recycle } from 'lucide-react';
import type { RunSummary, ScenarioView } from '../../live/wire.ts';
import { type Appearance, appearances } from '../../ui/appearance.tsx';

export function runAppearance(run: RunSummary): Appearance {
  if (run.state === 'running') return appearances.running;
  if (run.state === 'orphaned') return { ...appearances.orphaned, label: 'Orphaned' };
  if (run.state === 'unreadable') return { ...appearances.unknown, label: 'Unreadable' };
  if (run.failed > 0) return appearances.failed;
  if (run.green === null) return { ...appearances.indeterminate, label: 'Incomplete' };
  if (!run.green) return appearances.indeterminate;
  return run.passedOnRetry > 0 ? appearances.passedOnRetry : appearances.passed;
}

/** No scenario failed or was lost, but the process exited with a failure. */
export const exitedWithoutFailures = ({ state, exitCode, failed, indeterminate, lost }: RunSummary): boolean =>
  state === 'finished' && exitCode !== 0 && failed + indeterminate + lost === 0;

/** A scenario without a verdict counts as running while its run is live, and as without a verdict afterwards. */
export function scenarioAppearance(
  { outcome, todo = false }: Pick<ScenarioView, 'outcome'> & { todo?: boolean },
  live: boolean,
): Appearance {
  switch (outcome) {
    case 'CleanPass':
      return appearances.passed;
    case 'PassOnRetry':
      return appearances.passedOnRetry;
    case 'Failed':
      return appearances.failed;
    case 'Aborted':
      return appearances.aborted;
    case 'Skipped':
      return todo ? { ...appearances.pending, label: 'To do' } : appearances.skipped;
    case null:
      return live ? appearances.running : appearances.indeterminate;
  }
}

export function runStateCounts(run: RunSummary) {
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const pending = run.state === 'running' ? Math.max(0, total - run.scenariosFinished - run.running) : 0;
  return {
    total,
    parts: [
      { appearance: appearances.passed, count: run.passed },
      { appearance: appearances.passedOnRetry, count: run.passedOnRetry },
      { appearance: appearances.failed, count: run.failed },
      { appearance: appearances.indeterminate, count: run.indeterminate + run.lost },
      { appearance: appearances.running, count: run.running },
      { appearance: appearances.skipped, count: run.skipped },
      { appearance: appearances.pending, count: pending },
    ],
  };
}

const outcomesWorstFirst: readonly (ScenarioView['outcome'] | 'none')[] = [
  'Failed',
  'Aborted',
  'none',
  'PassOnRetry',
  'Skipped',
  'CleanPass',
];
export const scenarioUrgency = ({ outcome }: Pick<ScenarioView, 'outcome'>): number =>
  outcomesWorstFirst.indexOf(outcome ?? 'none');

export const stallAppearance: Appearance = { tone: 'warn', label: 'Stall', icon: Hourglass };
export const faultAppearance: Appearance = { tone: 'orphan', label: 'Worker fault', icon: OctagonX };
export const recycleAppearance: Appearance = { tone: 'indet', label: 'Recycle', icon: Recycle };
