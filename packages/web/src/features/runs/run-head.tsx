import { GitBranch, Tag } from 'lucide-react';
import type { RunDetail, RunSummary } from '../../live/wire.ts';
import { StateBar } from '../../ui/bar.tsx';
import { counted } from '../../ui/count.ts';
import { Notice } from '../../ui/notice.tsx';
import { Chip, PageHead } from '../../ui/page.tsx';
import { Ago, took } from '../../ui/time.tsx';
import { StateChip, StateIcon } from '../../ui/tone.tsx';
import { endedBadly, faultLook, partsOf, recycleLook, runLook, stallLook } from './look.ts';
import { Actions } from './run-actions.tsx';

export function RunHead({ detail, now, replaying }: { detail: RunDetail; now: number; replaying: boolean }) {
  const { run, stalls, workerFaults, recycles } = detail;
  const { parts, total } = partsOf(run);
  return (
    <PageHead
      title={
        <span className="flex items-center gap-2.5">
          <StateIcon look={runLook(run)} size={18} />
          <span className="min-w-0">{run.suite}</span>
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
          {!replaying && <PublisherChip run={run} />}
        </>
      }
      actions={replaying ? undefined : <Actions run={run} />}
    >
      <div className="flex items-center gap-3 max-md:flex-wrap">
        <StateBar parts={parts} total={total} height={9} />
        <span className="shrink-0 font-mono text-[12px]">
          <b>{counted(run.scenariosFinished)}</b> of {counted(total)}
        </span>
        <Left run={run} now={now} replaying={replaying} />
      </div>
      <div className="flex flex-wrap items-center gap-1.5">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ look, count }) => (
            <StateChip key={look.label} look={look} count={count} />
          ))}
        <span className="ml-auto flex flex-wrap gap-1.5">
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
      {!replaying && <Orphaned run={run} />}
      {!replaying && endedBadly(run) && (
        <Notice tone="indet" title={run.exitCode === null ? 'No exit code.' : `Exit code ${run.exitCode}.`}>
          No scenario failed, yet the run did not end well. Its own output tells why.
        </Notice>
      )}
    </PageHead>
  );
}

const few = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

function Orphaned({ run }: { run: RunSummary }) {
  if (run.state !== 'orphaned') return null;
  return (
    <Notice tone="orphan" title="Orphaned.">
      The publisher was last heard of <Ago at={run.lastEventAt} suffix=" ago" />. Its next event brings the run back.
    </Notice>
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
function Left({ run, now, replaying }: { run: RunSummary; now: number; replaying: boolean }) {
  if (!run.startedAt || replaying) return null;
  const start = Date.parse(run.startedAt);
  if (run.state !== 'running') {
    const end = run.finishedAt ?? run.lastEventAt;
    return end ? <span className="shrink-0 text-fg-3">took {took(Date.parse(end) - start)}</span> : null;
  }
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const byPace =
    run.scenariosFinished > 5 ? ((now - start) / run.scenariosFinished) * (total - run.scenariosFinished) : null;
  const usual = run.expectedMs === null ? 0 : run.expectedMs - (now - start);
  // Longer than usual, how long it usually takes says nothing any more.
  const left = usual > 0 ? usual : byPace;
  return left === null ? null : <span className="shrink-0 text-fg-3">about {took(Math.max(1000, left))} left</span>;
}
