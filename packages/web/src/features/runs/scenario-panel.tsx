import { FileCode2, X } from 'lucide-react';
import type { RunDetail, ScenarioView, StepView } from '../../live/wire.ts';
import { StateIcon, StateLabel } from '../../ui/appearance.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Chip } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { scenarioAppearance } from './run-appearance.ts';
import { stepsNotBegun } from './step-text.ts';
import { Reports, Steps, Trace } from './steps.tsx';
import { useChosenScenario } from './use-chosen-scenario.ts';

type Attempt = {
  attempt: number;
  outcome: ScenarioView['outcome'];
  durationMs: number | null;
  errorMessage: string | null;
  reason: string | null;
  disposition: string | null;
  steps: readonly StepView[];
};

function attemptsOf(scenario: ScenarioView): Attempt[] {
  const { attempt, outcome, durationMs, errorMessage, steps } = scenario;
  const last = { attempt, outcome, durationMs, errorMessage, steps, reason: null, disposition: null };
  return [...scenario.attemptsHistory, last];
}

/** One scenario: its attempts, their steps, what broke and what it touched. */
export function ScenarioPanel({ scenario, detail }: { scenario: ScenarioView; detail: RunDetail }) {
  const live = detail.run.state === 'running';
  const attempts = attemptsOf(scenario);
  const { uid, attempt: chosen, choose } = useChosenScenario();
  const now = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1);
  if (!now) return null;
  const appearance = scenarioAppearance(scenario, live);
  return (
    <div className="flex flex-col gap-4 px-4 py-4">
      <div className="flex items-start gap-2.5">
        <span className="mt-0.5">
          <StateIcon appearance={appearance} size={17} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="break-words font-semibold text-heading leading-5">{scenario.scenario}</h2>
          <p className="break-words text-fg-3">{scenario.feature}</p>
        </div>
        <CopyButton text={scenario.uid} what="scenario id" />
        <IconButton icon={X} label="Close" onClick={() => choose(null)} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <StateLabel appearance={appearance} />
        {now.durationMs !== null && <Chip>{formatDuration(now.durationMs)}</Chip>}
        {scenario.expectedMs !== null && <Chip>usually {formatDuration(scenario.expectedMs)}</Chip>}
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
              icon: scenarioAppearance(one, live).icon,
            }))}
          />
          <span className="text-fg-3">{retried(attempts)}</span>
        </div>
      )}
      <ScenarioIncidents scenario={scenario} detail={detail} />
      {now.reason && <p className="text-fg-2">Tried again: {now.reason}</p>}
      <Steps steps={now.steps} rest={stepsNotBegun(scenario, now.steps)} live={live && now === attempts.at(-1)} />
      {now.errorMessage && !now.steps.some(({ errorMessage }) => errorMessage === now.errorMessage) && (
        <Trace text={now.errorMessage} />
      )}
      <Reports reports={scenario.reports} />
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

/** Incidents outside its steps: a stall, or the death of its worker. */
function ScenarioIncidents({ scenario, detail }: { scenario: ScenarioView; detail: RunDetail }) {
  const stall = detail.stalls.findLast(({ uid }) => uid === scenario.uid);
  const lost = scenario.outcome === null && detail.run.state !== 'running';
  const began = scenario.startedAt ?? '';
  const fault = lost
    ? detail.workerFaults.find(({ lane, at }) => lane !== null && lane === scenario.lane && (at ?? '') >= began)
    : undefined;
  if (!stall && !fault) return null;
  return (
    <Notice tone={fault ? 'orphan' : 'warn'} title={fault ? 'Its worker died.' : 'It stalled.'}>
      {stall && `Nothing was heard of it for ${formatDuration(stall.inFlightMs)}. `}
      {fault?.fault}
    </Notice>
  );
}

const ways: Record<string, string> = {
  RetryInProcess: 'tried again in the same worker',
  RetryInFreshProcess: 'tried again in a fresh worker',
  RetryAfterRecycle: 'tried again after a recycle',
};
const retried = (attempts: readonly Attempt[]): string => ways[attempts.at(-2)?.disposition ?? ''] ?? '';
