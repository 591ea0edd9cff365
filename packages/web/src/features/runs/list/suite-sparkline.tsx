import type { SuiteRun, SuiteSummary } from '../../../live/wire.ts';
import { type Appearance, appearances } from '../../../ui/appearance.tsx';
import { formatDuration } from '../../../ui/time.tsx';
import { VerdictBar } from '../../../ui/verdict-bar.tsx';

export function suiteRunAppearance({ state, green }: Pick<SuiteRun, 'state' | 'green'>): Appearance {
  if (state === 'running') return appearances.running;
  if (state === 'orphaned') return appearances.orphaned;
  if (state === 'unreadable') return { ...appearances.unknown, label: 'Unreadable' };
  if (green === null) return appearances.indeterminate;
  return green ? appearances.passed : appearances.failed;
}

const barHeight = 22;
const minHeight = 3;

/** The meaning of the bars, as text. */
export function describeRuns({ runs, expectedMs }: Pick<SuiteSummary, 'runs' | 'expectedMs'>): string {
  const counts = new Map<string, number>();
  for (const run of runs) {
    const word = suiteRunAppearance(run).label.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const lengths = runs.flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]));
  const span =
    lengths.length === 0 ? [] : [`${formatDuration(Math.min(...lengths))} to ${formatDuration(Math.max(...lengths))}`];
  const usual = expectedMs === null ? [] : [`usually ${formatDuration(expectedMs)}`];
  return [...[...counts].map(([word, count]) => `${count} ${word}`), ...span, ...usual].join(', ');
}

/** The last runs of a suite as bars, oldest first; a bar's height is the duration. */
export function SuiteSparkline({ suite }: { suite: Pick<SuiteSummary, 'runs' | 'expectedMs'> }) {
  const longest = Math.max(1, ...suite.runs.map(({ durationMs }) => durationMs ?? 0));
  const label = `Last ${suite.runs.length} runs: ${describeRuns(suite)}`;
  return (
    <span role="img" aria-label={label} title={label} className="flex max-w-full items-end gap-px overflow-hidden">
      {suite.runs.toReversed().map((run) => {
        const height = Math.max(minHeight, Math.round(((run.durationMs ?? 0) / longest) * barHeight));
        return (
          <VerdictBar key={run.runId} appearance={suiteRunAppearance(run)} height={height} className="w-1 shrink-0" />
        );
      })}
    </span>
  );
}
