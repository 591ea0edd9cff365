import { Download, GitBranch, Hourglass, OctagonX, Recycle, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { at } from '../../live/ask.ts';
import { Shown } from '../../live/shown.tsx';
import { useRun } from '../../live/use-run.ts';
import type { RunDetail, RunSummary } from '../../live/wire.ts';
import { StateBar } from '../../ui/bar.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Chip, PageHead } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Split } from '../../ui/split.tsx';
import { Ago, took, useNow } from '../../ui/time.tsx';
import { type Look, StateChip, StateIcon } from '../../ui/tone.tsx';
import { EjectDialog } from './eject-dialog.tsx';
import { partsOf, runLook } from './look.ts';
import { ScenarioPanel } from './scenario-panel.tsx';
import { Scenarios } from './scenarios.tsx';
import { Timeline } from './timeline/timeline.tsx';

export function RunPage({ runId }: { runId: string }) {
  const run = useRun(runId);
  useCrumbs({ label: 'Runs', href: '/runs' }, { label: run.data?.run.suite ?? runId.slice(0, 8) });
  return (
    <Shown of={run} aside={<ButtonLink href="/runs">All runs</ButtonLink>}>
      {(detail) => <Opened detail={detail} />}
    </Shown>
  );
}

function Opened({ detail }: { detail: RunDetail }) {
  const [selected] = useParam('scenario');
  const scenario = detail.scenarios.find(({ uid }) => uid === selected);
  return (
    <>
      <Head detail={detail} />
      <Split
        label={`Scenario ${scenario?.scenario ?? ''}`}
        wide
        aside={
          scenario && <ScenarioPanel key={scenario.uid} scenario={scenario} live={detail.run.state === 'running'} />
        }
      >
        <Timeline detail={detail} />
        <Scenarios detail={detail} />
      </Split>
    </>
  );
}

function Head({ detail }: { detail: RunDetail }) {
  const { run, stalls, workerFaults, recycles } = detail;
  const { parts, total } = partsOf(run);
  return (
    <PageHead
      title={
        <span className="flex items-center gap-2.5">
          <StateIcon look={runLook(run)} size={18} />
          {run.suite}
        </span>
      }
      after={
        <>
          <span className="font-mono text-fg-3 text-sm">run {run.runId.slice(0, 8)}</span>
          <Chip icon={GitBranch} title={run.repository}>
            {run.repositoryName ?? run.repository.split('/').pop()}
            {run.branch ? ` at ${run.branch}` : ''}
          </Chip>
          {run.tag && <Chip icon={Tag}>{run.tag}</Chip>}
          <PublisherChip run={run} />
        </>
      }
      actions={<Actions run={run} />}
    >
      <div className="flex items-center gap-3">
        <StateBar parts={parts} total={total} height={9} />
        <span className="shrink-0 font-mono text-[12px]">
          <b>{run.scenariosFinished.toLocaleString('en')}</b> of {total.toLocaleString('en')}
        </span>
        <Left run={run} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ look, count }) => (
            <StateChip key={look.label} look={look} count={count} />
          ))}
        <span className="ml-auto flex gap-1.5">
          {stalls.length > 0 && (
            <StateChip look={stallLook} count={stalls.length} label={few(stalls.length, 'stall')} />
          )}
          {workerFaults.length > 0 && (
            <StateChip look={faultLook} count={workerFaults.length} label={few(workerFaults.length, 'worker fault')} />
          )}
          {recycles.length > 0 && (
            <StateChip look={recycleLook} count={recycles.length} label={few(recycles.length, 'recycle')} />
          )}
        </span>
      </div>
      <Accidents detail={detail} />
    </PageHead>
  );
}

const stallLook: Look = { tone: 'warn', label: 'Stall', icon: Hourglass };
const faultLook: Look = { tone: 'orphan', label: 'Worker fault', icon: OctagonX };
const recycleLook: Look = { tone: 'indet', label: 'Recycle', icon: Recycle };
const few = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

/** Worker faults say why a run is thinner than it looks. */
function Accidents({ detail: { run, workerFaults } }: { detail: RunDetail }) {
  if (run.state === 'orphaned')
    return (
      <Notice tone="orphan" title="Orphaned.">
        The publisher was last heard of <Ago at={run.lastEventAt} suffix=" ago" />. Its next event brings the run back.
      </Notice>
    );
  if (workerFaults.length === 0) return null;
  return (
    <details className="tone-orphan">
      <summary className="w-fit cursor-pointer rounded text-fg-2 text-sm">
        {workerFaults.length} {few(workerFaults.length, 'worker fault')}: {workerFaults.at(-1)?.fault}
      </summary>
      {workerFaults.map((fault) => (
        <pre
          key={`${fault.at}${fault.lane}`}
          className="mt-1 max-h-[120px] overflow-auto whitespace-pre-wrap rounded-md border border-line bg-bg px-3 py-2 font-mono text-[11.5px]"
        >
          {fault.lane === null ? '' : `lane ${fault.lane}: `}
          {fault.fault}
          {fault.standardError ? `\n${fault.standardError}` : ''}
        </pre>
      ))}
    </details>
  );
}

function PublisherChip({ run }: { run: RunSummary }) {
  if (run.state !== 'running') return null;
  return (
    <Chip>
      <span className="tone-done inline-flex items-center gap-1.5">
        <i className="size-2 rounded-full bg-tone" /> publisher live, <Ago at={run.lastEventAt} suffix=" ago" />
      </span>
    </Chip>
  );
}

/** How long it took, or about how long it will still take, by what it usually takes. */
function Left({ run }: { run: RunSummary }) {
  const now = useNow();
  if (!run.startedAt) return null;
  const start = Date.parse(run.startedAt);
  if (run.state !== 'running') {
    const end = run.finishedAt ?? run.lastEventAt;
    return end ? <span className="shrink-0 text-fg-3">took {took(Date.parse(end) - start)}</span> : null;
  }
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const byPace =
    run.scenariosFinished > 5 ? ((now - start) / run.scenariosFinished) * (total - run.scenariosFinished) : null;
  const left = run.expectedMs === null ? byPace : Math.max(0, run.expectedMs - (now - start));
  return left === null ? null : <span className="shrink-0 text-fg-3">about {took(Math.max(1000, left))} left</span>;
}

function Actions({ run }: { run: RunSummary }) {
  const [ejecting, setEjecting] = useState(false);
  const [, go] = useLocation();
  const live = run.state === 'running';
  return (
    <>
      <details className="relative" onBlur={closeWhenLeft}>
        <summary className="flex h-7 cursor-pointer list-none items-center gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 font-medium text-[12.5px] hover:bg-hover">
          <Download size={14} aria-hidden /> Export
        </summary>
        <ul className="panel absolute right-0 z-20 mt-1 w-[190px] p-1 shadow-pop">
          {['ctrf', 'junit', 'ndjson'].map((format) => (
            <li key={format}>
              <a
                href={at`/api/runs/${run.runId}/export?format=${format}`}
                download
                className="flex h-8 items-center rounded px-2 hover:bg-hover"
              >
                {words[format]}
              </a>
            </li>
          ))}
        </ul>
      </details>
      <Button
        icon={Trash2}
        disabled={live}
        title={live ? 'A live run is never ejected: its next event would bring it back.' : undefined}
        onClick={() => setEjecting(true)}
      >
        Eject
      </Button>
      {live && <span className="text-fg-3 text-xs">live runs stay</span>}
      {ejecting && <EjectDialog run={run} onClose={() => setEjecting(false)} onDone={() => go('/runs')} />}
    </>
  );
}

const words: Record<string, string> = { ctrf: 'CTRF, JSON', junit: 'JUnit, XML', ndjson: 'NDJSON, every event' };

function closeWhenLeft(event: React.FocusEvent<HTMLDetailsElement>): void {
  if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
}
