import { FileCode2, X } from 'lucide-react';
import type { RunDetail, ScenarioView, StepView } from '../../live/wire.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Section } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Chip } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { took } from '../../ui/time.tsx';
import { looks, StateIcon, StateLabel } from '../../ui/tone.tsx';
import { scenarioLook } from './look.ts';
import { useChoice } from './use-choice.ts';

type Attempt = {
  attempt: number;
  outcome: ScenarioView['outcome'];
  errorMessage: string | null;
  reason: string | null;
  disposition: string | null;
  steps: readonly StepView[];
};

function attemptsOf(scenario: ScenarioView): Attempt[] {
  const { attempt, outcome, errorMessage, steps } = scenario;
  return [...scenario.attemptsHistory, { attempt, outcome, errorMessage, steps, reason: null, disposition: null }];
}

/** One scenario: its attempts, their steps, what broke and what it touched. */
export function ScenarioPanel({ scenario, detail }: { scenario: ScenarioView; detail: RunDetail }) {
  const live = detail.run.state === 'running';
  const attempts = attemptsOf(scenario);
  const { uid, attempt: chosen, choose } = useChoice();
  const now = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1);
  if (!now) return null;
  const look = scenarioLook(scenario, live);
  return (
    <div className="flex flex-col gap-4 px-4 py-4">
      <div className="flex items-start gap-2.5">
        <span className="mt-0.5">
          <StateIcon look={look} size={17} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="break-words font-semibold text-[14px] leading-5">{scenario.scenario}</h2>
          <p className="break-words text-fg-3">{scenario.feature}</p>
        </div>
        <CopyButton text={scenario.uid} what="scenario id" />
        <IconButton icon={X} label="Close" onClick={() => choose(null)} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StateLabel look={look} />
        {scenario.durationMs !== null && <Chip>{took(scenario.durationMs)}</Chip>}
        {scenario.expectedMs !== null && <Chip>usually {took(scenario.expectedMs)}</Chip>}
        {scenario.state && <Chip>{scenario.state}</Chip>}
        {scenario.file && (
          <Chip icon={FileCode2} title={scenario.file}>
            {scenario.file.split('/').pop()}
            {scenario.line ? `:${scenario.line}` : ''}
          </Chip>
        )}
      </div>
      {attempts.length > 1 && (
        <div className="flex flex-wrap items-center gap-2.5">
          <Segmented
            label="Attempt"
            value={String(now.attempt)}
            onChange={(value) => choose(uid, Number(value))}
            choices={attempts.map((one) => ({
              value: String(one.attempt),
              label: `Attempt ${one.attempt}`,
              icon: scenarioLook(one, live).icon,
            }))}
          />
          <span className="text-fg-3">{retried(attempts)}</span>
        </div>
      )}
      <Accidents scenario={scenario} detail={detail} />
      {now.reason && <p className="text-fg-2">Tried again: {now.reason}</p>}
      <Steps steps={now.steps} rest={restOf(scenario, now)} live={live && now === attempts.at(-1)} />
      {now.errorMessage && !now.steps.some(({ errorMessage }) => errorMessage === now.errorMessage) && (
        <Trace text={now.errorMessage} />
      )}
      {scenario.touchedTypes.length > 0 && (
        <Section title="Touched types">
          <ul className="flex flex-wrap gap-1.5">
            {scenario.touchedTypes.map((type) => (
              <li key={type.fullName ?? type.name ?? ''} className="max-w-full">
                <Chip icon={FileCode2} title={type.fullName ?? ''}>
                  {type.name ?? type.fullName}
                </Chip>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

/** What befell it that no step tells: it stalled, or its worker died under it. */
function Accidents({ scenario, detail }: { scenario: ScenarioView; detail: RunDetail }) {
  const stall = detail.stalls.findLast(({ uid }) => uid === scenario.uid);
  const lost = scenario.outcome === null && detail.run.state !== 'running';
  const began = scenario.startedAt ?? '';
  const fault = lost
    ? detail.workerFaults.find(({ lane, at }) => lane !== null && lane === scenario.lane && (at ?? '') >= began)
    : undefined;
  if (!stall && !fault) return null;
  return (
    <Notice tone={fault ? 'orphan' : 'warn'} title={fault ? 'Its worker died.' : 'It stalled.'}>
      {stall && `Nothing was heard of it for ${took(stall.inFlightMs)}. `}
      {fault?.fault}
    </Notice>
  );
}

const ways: Record<string, string> = {
  RetryInProcess: 'tried again in the same worker',
  RetryInFreshProcess: 'tried again in a fresh worker',
};
const retried = (attempts: readonly Attempt[]): string => ways[attempts.at(-2)?.disposition ?? ''] ?? '';

/** Steps that were declared and never begun, known by their place. */
function restOf({ declaredSteps }: ScenarioView, { steps }: Attempt): Declared[] {
  return (declaredSteps as readonly Declared[]).slice(steps.length);
}
type Declared = { keyword?: string | null; text?: string | null };

const stepLook = (status: string, live: boolean) => {
  if (status === 'running') return live ? looks.running : looks.indeterminate;
  return status === 'ok' || status === 'success' ? looks.passed : looks.failed;
};

/** Steps with a waterfall: where the time of the attempt went. */
function Steps({ steps, rest, live }: { steps: readonly StepView[]; rest: readonly Declared[]; live: boolean }) {
  if (steps.length + rest.length === 0) return <p className="text-fg-3">No steps were published.</p>;
  const total = Math.max(
    1,
    steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
  );
  let before = 0;
  return (
    <ol className="flex flex-col gap-1.5" aria-label="Steps">
      {steps.map((step, index) => {
        const left = (before / total) * 100;
        const width = ((step.durationMs ?? 0) / total) * 100;
        before += step.durationMs ?? 0;
        const look = stepLook(step.status, live);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place; its id is that of a template
          <li key={index} className="flex flex-col gap-0.5">
            <span className="grid grid-cols-[15px_40px_minmax(0,1fr)_70px_54px] items-center gap-2">
              <StateIcon look={look} size={14} />
              <span className="text-fg-3">{step.kind}</span>
              <span className="truncate" title={step.text}>
                {step.text}
              </span>
              <span className={`tone-${look.tone} relative h-1.5 rounded-full bg-track`} aria-hidden>
                <i
                  className="absolute inset-y-0 min-w-[2px] rounded-full bg-tone"
                  style={{ left: `${Math.min(left, 98)}%`, width: `${width}%` }}
                />
              </span>
              <span className="text-right font-mono text-[11px] text-fg-3">
                {step.durationMs === null ? (live ? '' : 'no end') : took(step.durationMs)}
              </span>
            </span>
            {step.progress && step.status === 'running' && (
              <span className="pl-[71px] text-fg-3 text-sm">
                {step.progress.message} {step.progress.row !== null && `row ${step.progress.row}`}
                {step.progress.totalRows !== null && ` of ${step.progress.totalRows}`}
              </span>
            )}
            {step.errorMessage && <Trace text={step.errorMessage} />}
            {step.logs.length > 0 && (
              <details className="pl-[71px] text-fg-3 text-sm">
                <summary className="w-fit cursor-pointer rounded">{step.logs.length} log lines</summary>
                <pre className="overflow-x-auto whitespace-pre-wrap font-mono text-[11px]">{step.logs.join('\n')}</pre>
              </details>
            )}
          </li>
        );
      })}
      {rest.map(({ keyword, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
        <li key={index} className="grid grid-cols-[15px_40px_minmax(0,1fr)_54px] items-center gap-2 text-fg-3">
          <StateIcon look={looks.pending} size={14} />
          <span>{keyword}</span>
          <span className="truncate">{text}</span>
          <span className="text-right font-mono text-[11px]">{live ? '' : 'not run'}</span>
        </li>
      ))}
    </ol>
  );
}

function Trace({ text }: { text: string }) {
  return (
    <pre
      tabIndex={0}
      className="tone-fail tint max-h-[280px] overflow-auto whitespace-pre-wrap break-words rounded-md border px-3 py-2 font-mono text-[11.5px] text-fg"
    >
      {text}
    </pre>
  );
}
