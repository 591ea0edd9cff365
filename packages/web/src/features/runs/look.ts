import { Hourglass, OctagonX, Recycle } from 'lucide-react';
import type { RunSummary, ScenarioView } from '../../live/wire.ts';
import { type Look, looks } from '../../ui/tone.tsx';

export function runLook(run: RunSummary): Look {
  if (run.state === 'running') return looks.running;
  if (run.state === 'orphaned') return { ...looks.orphaned, label: 'Orphaned' };
  if (run.failed > 0) return looks.failed;
  if (run.indeterminate + run.lost > 0 || run.exitCode !== 0) return looks.indeterminate;
  return run.passedOnRetry > 0 ? looks.passedOnRetry : looks.passed;
}

/** Nothing failed or got lost in it, and still its process says that it failed. */
export const endedBadly = ({ state, exitCode, failed, indeterminate, lost }: RunSummary): boolean =>
  state === 'finished' && exitCode !== 0 && failed + indeterminate + lost === 0;

/** A scenario without a verdict runs while its run does, and has none once it ended. */
export function scenarioLook({ outcome }: Pick<ScenarioView, 'outcome'>, live: boolean): Look {
  switch (outcome) {
    case 'CleanPass':
      return looks.passed;
    case 'PassOnRetry':
      return looks.passedOnRetry;
    case 'Failed':
      return looks.failed;
    case 'Aborted':
      return looks.aborted;
    case 'Skipped':
      return looks.skipped;
    case null:
      return live ? looks.running : looks.indeterminate;
  }
}

export function partsOf(run: RunSummary) {
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const pending = run.state === 'running' ? Math.max(0, total - run.scenariosFinished - run.running) : 0;
  return {
    total,
    parts: [
      { look: looks.passed, count: run.passed },
      { look: looks.passedOnRetry, count: run.passedOnRetry },
      { look: looks.failed, count: run.failed },
      { look: looks.indeterminate, count: run.indeterminate + run.lost },
      { look: looks.running, count: run.running },
      { look: looks.skipped, count: run.skipped },
      { look: looks.pending, count: pending },
    ],
  };
}

const worst: readonly (ScenarioView['outcome'] | 'none')[] = [
  'Failed',
  'Aborted',
  'none',
  'PassOnRetry',
  'Skipped',
  'CleanPass',
];
export const urgency = ({ outcome }: Pick<ScenarioView, 'outcome'>): number => worst.indexOf(outcome ?? 'none');

export const stallLook: Look = { tone: 'warn', label: 'Stall', icon: Hourglass };
export const faultLook: Look = { tone: 'orphan', label: 'Worker fault', icon: OctagonX };
export const recycleLook: Look = { tone: 'indet', label: 'Recycle', icon: Recycle };
