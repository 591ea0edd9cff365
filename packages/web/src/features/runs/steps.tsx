import type { CSSProperties } from 'react';
import type { ScenarioView, StepView } from '../../live/wire.ts';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { Section } from '../../ui/facts.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { formatDuration } from '../../ui/time.tsx';
import { reportOf } from './cell-table.ts';
import { StepCells } from './step-cells.tsx';
import { type DeclaredStep, errorText, kindWidth } from './step-text.ts';

const stepAppearance = (status: string, live: boolean) => {
  if (status === 'running') return live ? appearances.running : appearances.indeterminate;
  return status === 'ok' || status === 'success' ? appearances.passed : appearances.failed;
};

/** Steps with a waterfall: where the time of the attempt went. */
export function Steps({
  steps,
  rest,
  live,
}: {
  steps: readonly StepView[];
  rest: readonly DeclaredStep[];
  live: boolean;
}) {
  if (steps.length + rest.length === 0) return <p className="text-fg-3">No steps were published.</p>;
  const total = Math.max(
    1,
    steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  );
  const kinds = kindWidth([...steps.map(({ kind }) => kind), ...rest.map(({ keyword }) => keyword ?? '')]);
  const columns = { gridTemplateColumns: `15px ${kinds}px minmax(0,1fr) 70px 54px` };
  let before = 0;
  return (
    <ol className="flex flex-col gap-1.5" aria-label="Steps">
      {steps.map((step, index) => {
        const left = (before / total) * 100;
        const width = ((step.durationMs ?? 0) / total) * 100;
        before += step.durationMs ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place; its id is that of a template
          <StepRow key={index} step={step} live={live} columns={columns} indent={kinds + 31} bar={{ left, width }} />
        );
      })}
      {rest.map(({ keyword, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
        <li key={index} className="grid items-center gap-2 text-fg-3" style={columns}>
          <StateIcon appearance={appearances.pending} size={14} />
          <span className="truncate">{keyword}</span>
          <span className="truncate" title={text ?? ''}>
            {text}
          </span>
          <span aria-hidden />
          <span className="text-right font-mono text-caption">{live ? '' : 'not run'}</span>
        </li>
      ))}
    </ol>
  );
}

type StepProps = {
  step: StepView;
  live: boolean;
  columns: CSSProperties;
  indent: number;
  bar: { left: number; width: number };
};

function StepRow({ step, live, columns, indent, bar }: StepProps) {
  const appearance = stepAppearance(step.status, live);
  const trouble = errorText(step);
  return (
    <li className="flex flex-col gap-0.5">
      <span className="grid items-center gap-2" style={columns}>
        <StateIcon appearance={appearance} size={14} />
        <span className="truncate text-fg-3">{step.kind}</span>
        <span className="truncate" title={step.text}>
          {step.text}
        </span>
        <span className={`tone-${appearance.tone} relative h-1.5 rounded-full bg-track`} aria-hidden>
          <i
            className="absolute inset-y-0 min-w-[2px] rounded-full bg-tone"
            style={{ left: `${Math.min(bar.left, 98)}%`, width: `${bar.width}%` }}
          />
        </span>
        <span className="text-right font-mono text-caption text-fg-3">
          {step.durationMs === null ? (live ? '' : 'no end') : formatDuration(step.durationMs)}
        </span>
      </span>
      {step.progress && step.status === 'running' && (
        <span className="text-fg-3 text-sm" style={{ paddingLeft: indent }}>
          {step.progress.message} {step.progress.row !== null && `row ${step.progress.row}`}
          {step.progress.totalRows !== null && ` of ${step.progress.totalRows}`}
        </span>
      )}
      <StepCells columns={step.columns} cells={step.cells} />
      {trouble !== null && <Trace text={trouble} />}
      {step.logs.length > 0 && (
        <details className="text-fg-3 text-sm" style={{ paddingLeft: indent }}>
          <summary className="w-fit cursor-pointer rounded">{countWithNoun(step.logs.length, 'log line')}</summary>
          <pre className="overflow-x-auto whitespace-pre-wrap font-mono text-caption">{step.logs.join('\n')}</pre>
        </details>
      )}
    </li>
  );
}

export function Trace({ text }: { text: string }) {
  return (
    <pre
      tabIndex={0}
      className="tone-fail tint max-h-[280px] overflow-auto whitespace-pre-wrap break-words rounded-md border px-3 py-2 font-mono text-code text-fg"
    >
      {text}
    </pre>
  );
}

/** Tables that the scenario reported at its end. */
export function Reports({ reports }: Pick<ScenarioView, 'reports'>) {
  return reports.map(reportOf).map(({ title, columns, cells }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a report is known by its place
    <Section key={index} title={title ?? 'Report'}>
      <StepCells columns={columns} cells={cells} />
    </Section>
  ));
}
