import { type CSSProperties, Fragment, useMemo } from 'react';
import type { ScenarioView, StepView } from '../../live/wire.ts';
import { appearances, StateIcon } from '../../ui/appearance.tsx';
import { Section } from '../../ui/facts.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { formatDuration } from '../../ui/time.tsx';
import { reportOf } from './cell-table.ts';
import { OutputLines } from './failure/output.tsx';
import type { LinesByStep, OutputLine } from './output-lines.ts';
import { StepCells } from './step-cells.tsx';
import { type DeclaredStep, errorText, kindWidth } from './step-text.ts';
import { isOnFailingPath, type StepNode, stepTree } from './step-tree.ts';

const stepAppearance = (status: string, live: boolean) => {
  if (status === 'running') return live ? appearances.running : appearances.indeterminate;
  return status === 'ok' || status === 'success' ? appearances.passed : appearances.failed;
};

type StepsProps = {
  steps: readonly StepView[];
  rest: readonly DeclaredStep[];
  live: boolean;
  /** The failure is shown above, so a step does not repeat it. */
  failureShown: boolean;
  /** Which lines were printed during which step, if known. */
  output: LinesByStep | null;
};

/** Steps with a waterfall that shows where the time of the attempt went. Parts of a step are folded unless one of them failed. */
export function Steps({ steps, rest, live, failureShown, output }: StepsProps) {
  const tree = useMemo(() => stepTree(steps), [steps]);
  const kinds = kindWidth([...steps.map(({ kind }) => kind), ...rest.map(({ keyword }) => keyword ?? '')]);
  const columns = { gridTemplateColumns: `15px ${kinds}px minmax(0,1fr) 70px 54px` };
  return (
    <ol className="flex flex-col gap-1.5" aria-label="Steps">
      <PrintedItem lines={output?.before} label="Printed before the first step" />
      {tree.map((node, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place; its id is that of a template
        <Fragment key={index}>
          <StepItem {...{ node, live, failureShown, output, columns }} indent={kinds + 31} />
          <PrintedItem lines={output?.after.get(node.step)} label={`Printed after ${node.step.text}`} />
        </Fragment>
      ))}
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

type ItemProps = Pick<StepsProps, 'live' | 'failureShown' | 'output'> & {
  node: StepNode;
  columns: CSSProperties;
  indent: number;
};

function StepItem(props: ItemProps) {
  const { node } = props;
  if (node.parts.length === 0) return <StepRow {...props} />;
  return (
    <li>
      <details open={isOnFailingPath(node)}>
        <summary className="cursor-pointer list-none rounded">
          <StepLine {...props} />
        </summary>
        <ol className="mt-1 ml-1.5 flex flex-col gap-1.5 border-line border-l pl-2">
          <PrintedItem lines={props.output?.during.get(node.step)} label={`Printed during ${node.step.text}`} />
          {node.parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
            <StepItem key={index} {...props} node={part} />
          ))}
        </ol>
      </details>
    </li>
  );
}

function PrintedItem({ lines = [], label }: { lines: readonly OutputLine[] | undefined; label: string }) {
  return lines.length === 0 ? null : (
    <li>
      <OutputLines lines={lines} label={label} />
    </li>
  );
}

const printedIn = ({ step, parts }: StepNode, output: LinesByStep | null): number =>
  parts.reduce((sum, part) => sum + printedIn(part, output), output?.during.get(step)?.length ?? 0);

function StepLine({ node, live, columns, output }: ItemProps) {
  const { step, parts, left, width } = node;
  const appearance = stepAppearance(step.status, live);
  const printed = parts.length > 0 ? printedIn(node, output) : 0;
  return (
    <span className="grid items-center gap-2" style={columns}>
      <StateIcon appearance={appearance} size={14} />
      <span className="truncate text-fg-3">{step.kind}</span>
      <span className="truncate" title={step.text}>
        {step.text}
        {parts.length > 0 && <span className="text-fg-3"> ({parts.length})</span>}
        {printed > 0 && <span className="text-fg-3">, {countWithNoun(printed, 'line')} of output</span>}
      </span>
      <span className={`tone-${appearance.tone} relative h-1.5 rounded-full bg-track`} aria-hidden>
        <i
          className="absolute inset-y-0 min-w-[2px] rounded-full bg-tone"
          style={{ left: `${Math.min(left, 98)}%`, width: `${Math.min(width, 100 - Math.min(left, 98))}%` }}
        />
      </span>
      <span className="text-right font-mono text-caption text-fg-3">
        {step.durationMs === null ? (live ? '' : 'no end') : formatDuration(step.durationMs)}
      </span>
    </span>
  );
}

function StepRow(props: ItemProps) {
  const { node, failureShown, indent, output } = props;
  const { step } = node;
  const trouble = failureShown ? null : errorText(step);
  return (
    <li className="flex flex-col gap-0.5">
      <StepLine {...props} />
      {step.progress && step.status === 'running' && (
        <span className="text-fg-3 text-sm" style={{ paddingLeft: indent }}>
          {step.progress.message} {step.progress.row !== null && `row ${step.progress.row}`}
          {step.progress.totalRows !== null && ` of ${step.progress.totalRows}`}
        </span>
      )}
      <StepCells columns={step.columns} cells={step.cells} />
      {trouble !== null && <Trace text={trouble} />}
      <OutputLines lines={output?.during.get(step) ?? []} label={`Printed during ${step.text}`} />
      {step.logs.length > 0 && !output && (
        <details className="text-fg-3 text-sm" style={{ paddingLeft: indent }}>
          <summary className="w-fit cursor-pointer rounded">{countWithNoun(step.logs.length, 'log line')}</summary>
          <pre className="overflow-x-auto whitespace-pre-wrap font-mono text-caption">{step.logs.join('\n')}</pre>
        </details>
      )}
    </li>
  );
}

function Trace({ text }: { text: string }) {
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
