import { FileCode2, Maximize2, X } from 'lucide-react';
import { useMemo } from 'react';
import { type FailureView, failuresOf } from 'signalbox/browser/failure';
import { Link } from 'wouter';
import type { RunDetail, ScenarioView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon, StateLabel } from '../../ui/appearance.tsx';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton, CopyTextButton, useCopyKey } from '../../ui/copy-button.tsx';
import { Section } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Chip } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { usePainted } from '../../ui/use-painted.ts';
import { type Attempt, attemptsOf, retriedHow } from './attempts.ts';
import { Attachments } from './failure/attachments.tsx';
import { FailureBlock } from './failure/failure-block.tsx';
import { HistoryStrip } from './failure/history-strip.tsx';
import { NextSteps } from './failure/next-steps.tsx';
import { Output } from './failure/output.tsx';
import { EditorChoice, PlaceLink } from './failure/place-link.tsx';
import { linesByStep, timedOutput } from './output-lines.ts';
import { scenarioAppearance } from './run-appearance.ts';
import { stepsNotBegun } from './step-text.ts';
import { Reports, Steps } from './steps.tsx';
import { useChosenScenario } from './use-chosen-scenario.ts';

type Props = { scenario: ScenarioView; detail: RunDetail };

/** One scenario next to its run: what failed, what to do about it, and what led there. */
export function ScenarioPanel({ scenario, detail }: Props) {
  const { choose } = useChosenScenario();
  return (
    <div className="flex flex-col gap-4 px-4 py-4">
      <div className="flex items-start gap-2.5">
        <span className="mt-0.5">
          <StateIcon appearance={scenarioAppearance(scenario, detail.run.state === 'running')} size={17} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="break-words font-semibold text-heading leading-5">
            {scenario.scenario}
          </h2>
          <p className="break-words text-fg-3">{scenario.feature}</p>
        </div>
        <CopyButton text={scenario.uid} what="scenario id" />
        <Link
          href={paths.test(detail.run.runId, scenario.uid)}
          aria-label="Open on a page of its own"
          title="Open on a page of its own"
          className="grid size-7 shrink-0 place-items-center rounded-md text-fg-3 hover:bg-hover hover:text-fg"
        >
          <Maximize2 size={15} aria-hidden />
        </Link>
        <IconButton icon={X} label="Close" onClick={() => choose(null)} />
      </div>
      <ScenarioBody scenario={scenario} detail={detail} />
    </div>
  );
}

/** The scenario below the title of its own page. The failure is painted first, the rest right after it. */
export function ScenarioBody({ scenario, detail }: Props) {
  const live = detail.run.state === 'running';
  const attempts = useMemo(() => attemptsOf(scenario), [scenario]);
  const { attempt: chosen } = useChosenScenario();
  const now = attempts.find(({ attempt }) => attempt === chosen) ?? attempts.at(-1);
  const failures = useMemo(() => (now ? failuresOf(now) : []), [now]);
  const isPainted = usePainted();
  useCopyKey(failures.length > 0 ? scenario.rerun : null);
  if (!now) return null;
  return (
    <>
      <Facts scenario={scenario} detail={detail} attempt={now} failed={failures[0]} />
      <AttemptChoice scenario={scenario} attempts={attempts} now={now} live={live} />
      <ScenarioIncidents scenario={scenario} detail={detail} />
      {now.skipReason && <p className="text-fg-2">Skipped: {now.skipReason}</p>}
      {now.reason && <p className="text-fg-2">Retried because: {now.reason}</p>}
      {failures.slice(0, isPainted ? failures.length : 1).map((failure, index) => (
        <FailureBlock
          // biome-ignore lint/suspicious/noArrayIndexKey: a failure is known by its place
          key={index}
          failure={failure}
          root={detail.run.repository}
          number={failures.length > 1 ? index + 1 : null}
          brief={!isPainted}
        />
      ))}
      {isPainted && <Rest {...{ scenario, detail, failures }} attempt={now} live={live && now === attempts.at(-1)} />}
    </>
  );
}

type RestProps = Props & { attempt: Attempt; failures: readonly FailureView[]; live: boolean };

function Rest({ scenario, detail, attempt, failures, live }: RestProps) {
  const hasFailed = failures.length > 0;
  return (
    <>
      {hasFailed && <NextSteps scenario={scenario} detail={detail} failures={failures} />}
      <Attachments runId={detail.run.runId} attachments={scenario.attachments} attempt={attempt.attempt} />
      <HistoryStrip uid={scenario.uid} run={detail.run} />
      <StepsAndOutput {...{ scenario, attempt, failures, live }} />
      <Reports reports={scenario.reports} />
      <TouchedTypes scenario={scenario} />
      {hasFailed && <EditorChoice />}
    </>
  );
}

type FactsProps = Props & { attempt: Attempt; failed: FailureView | undefined };

/** Also shows the failing line and the command of a failure, because a long comparison may push them off the screen. */
function Facts({ scenario, detail, attempt, failed }: FactsProps) {
  const place = failed?.place ?? (scenario.file ? { ...scenario, file: scenario.file } : null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <StateLabel appearance={scenarioAppearance(scenario, detail.run.state === 'running')} />
      {attempt.durationMs !== null && <Chip>{formatDuration(attempt.durationMs)}</Chip>}
      {scenario.expectedMs !== null && <Chip>usually {formatDuration(scenario.expectedMs)}</Chip>}
      {scenario.state && <Chip>{scenario.state}</Chip>}
      {scenario.project && <Chip>{scenario.project}</Chip>}
      {scenario.tags.map((tag) => (
        <Chip key={tag}>{tag}</Chip>
      ))}
      {place && <PlaceLink root={detail.run.repository} place={place} icon />}
      {failed && scenario.rerun && <CopyTextButton text={scenario.rerun}>Copy command</CopyTextButton>}
    </div>
  );
}

type ChoiceProps = { scenario: ScenarioView; attempts: readonly Attempt[]; now: Attempt; live: boolean };

function AttemptChoice({ scenario, attempts, now, live }: ChoiceProps) {
  const { choose } = useChosenScenario();
  if (attempts.length < 2) return null;
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Segmented
        label="Attempt"
        value={String(now.attempt)}
        onChange={(value) => choose(scenario.uid, Number(value))}
        choices={attempts.map((one) => ({
          value: String(one.attempt),
          label: `Attempt ${one.attempt}`,
          icon: scenarioAppearance(one, live).icon,
        }))}
      />
      <span className="text-fg-3">{retriedHow(attempts)}</span>
    </div>
  );
}

type StepProps = { scenario: ScenarioView; attempt: Attempt; failures: readonly FailureView[]; live: boolean };

/**
 * Steps and output, on one clock if the times of both are known. A runner without steps reports only the test itself,
 * which is already shown.
 */
function StepsAndOutput({ scenario, attempt, failures, live }: StepProps) {
  const steps = attempt.steps.filter(({ stepId, text }) => stepId !== 'test' || text !== scenario.scenario);
  const rest = stepsNotBegun(scenario, steps);
  const lines = useMemo(() => linesByStep(attempt.steps, timedOutput(attempt) ?? []), [attempt]);
  const printed = attempt.stdout.length + attempt.stderr.length;
  const isTimed = attempt.stdoutMs.length + attempt.stderrMs.length === printed;
  const isTogether = lines !== null && printed > 0 && isTimed && steps.length === attempt.steps.length;
  return (
    <>
      {steps.length + rest.length > 0 && (
        <Section title={isTogether ? 'Steps and output' : 'Steps'}>
          <Steps
            steps={steps}
            rest={rest}
            live={live}
            failureShown={failures.length > 0}
            output={isTogether ? lines : null}
          />
        </Section>
      )}
      {!isTogether && <Output attempt={attempt} />}
    </>
  );
}

function TouchedTypes({ scenario: { touchedTypes } }: Pick<Props, 'scenario'>) {
  if (touchedTypes.length === 0) return null;
  return (
    <Section title="Touched types">
      <ul className="flex flex-wrap gap-1.5">
        {touchedTypes.map((type) => (
          <li key={type.fullName ?? type.name ?? ''} className="max-w-full">
            <Chip icon={FileCode2} title={type.fullName ?? ''}>
              {type.name ?? type.fullName}
            </Chip>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Incidents outside its steps: a stall, or the death of its worker. */
function ScenarioIncidents({ scenario, detail }: Props) {
  const stall = detail.stalls.findLast(({ uid }) => uid === scenario.uid);
  const lost = scenario.outcome === null && detail.run.state !== 'running';
  const began = scenario.startedAt ?? '';
  const fault = lost
    ? detail.workerFaults.find(({ lane, at }) => lane !== null && lane === scenario.lane && (at ?? '') >= began)
    : undefined;
  if (!stall && !fault) return null;
  return (
    <Notice tone={fault ? 'orphan' : 'warn'} title={fault ? 'Its worker died.' : 'It stalled.'}>
      {stall && `No events for ${formatDuration(stall.inFlightMs)}. `}
      {fault?.fault}
    </Notice>
  );
}
