import { BellRing, GitBranch, ShieldCheck, ShieldOff, Tag } from 'lucide-react';
import { memo } from 'react';
import type { RunDetail, RunSummary } from '../../live/wire.ts';
import { StateChip, StateIcon } from '../../ui/appearance.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format-count.ts';
import { Notice } from '../../ui/notice.tsx';
import { Chip, PageHeader } from '../../ui/page.tsx';
import { shortId } from '../../ui/short-id.ts';
import { StateBar } from '../../ui/state-bar.tsx';
import { formatDuration, formatRoughly, TimeAgo } from '../../ui/time.tsx';
import { useOffline } from '../shared/offline.ts';
import { RunActions } from './run-actions.tsx';
import {
  exitedWithoutFailures,
  faultAppearance,
  recycleAppearance,
  runAppearance,
  runStateCounts,
  stallAppearance,
} from './run-appearance.ts';

type HeaderProps = {
  detail: RunDetail;
  now: number;
  replaying: boolean;
  /** Whether its end will raise a desktop notification; null if the browser has none. */
  watched: { watching: boolean; watch: () => void } | null;
};

export const RunHeader = memo(function RunHeader({ detail, now, replaying, watched }: HeaderProps) {
  const { run, stalls, workerFaults, recycles } = detail;
  const { parts, total } = runStateCounts(run);
  const offline = useOffline();
  return (
    <PageHeader
      title={
        <span className="flex items-center gap-2.5">
          <span className="min-w-0">{run.suite}</span>
          <span className="order-first">
            <StateIcon appearance={runAppearance(run)} size={18} />
          </span>
        </span>
      }
      besideTitle={
        <>
          <span className="font-mono text-fg-3 text-sm">run {shortId(run.runId)}</span>
          <Chip icon={GitBranch} title={run.repository}>
            {run.repositoryName ?? run.repository.split('/').pop()}
            {run.branch ? ` at ${run.branch}` : ''}
          </Chip>
          {run.tag && <Chip icon={Tag}>{run.tag}</Chip>}
          <OriginChip run={run} />
          {!replaying && <PublisherChip run={run} />}
        </>
      }
      actions={
        replaying || offline ? undefined : (
          <>
            {watched && (
              <Button
                icon={BellRing}
                kind={watched.watching ? 'on' : 'plain'}
                aria-pressed={watched.watching}
                onClick={watched.watch}
              >
                Notify me when it ends
              </Button>
            )}
            <RunActions run={run} />
          </>
        )
      }
    >
      <div className="flex items-center gap-3 max-md:flex-wrap">
        <StateBar parts={parts} total={total} height={9} />
        <span className="shrink-0 font-mono text-note">
          <b>{formatCount(run.scenariosFinished)}</b> of {formatCount(total)}
        </span>
        <Left run={run} now={now} replaying={replaying} />
      </div>
      {/* A live run has room for a second line of counts, so that what is below stays where it is. */}
      <div
        className={`flex flex-wrap content-start items-center gap-1.5 ${run.state === 'running' ? 'max-[480px]:min-h-[54px]' : ''}`}
      >
        {parts
          .filter(({ count }) => count > 0)
          .map(({ appearance, count }) => (
            <StateChip key={appearance.label} appearance={appearance} count={count} />
          ))}
        <span className="ml-auto flex flex-wrap gap-1.5">
          {stalls.length > 0 && (
            <StateChip appearance={stallAppearance} count={stalls.length} label={pluralOf(stalls.length, 'stall')} />
          )}
          {workerFaults.length > 0 && (
            <StateChip
              appearance={faultAppearance}
              count={workerFaults.length}
              label={pluralOf(workerFaults.length, 'worker fault')}
            />
          )}
          {recycles.length > 0 && (
            <StateChip
              appearance={recycleAppearance}
              count={recycles.length}
              label={pluralOf(recycles.length, 'recycle')}
            />
          )}
        </span>
      </div>
      {!replaying && <Orphaned run={run} />}
      {!replaying && exitedWithoutFailures(run) && (
        <Notice tone="indet" title={run.exitCode === null ? 'No exit code.' : `Exit code ${run.exitCode}.`}>
          No scenario failed, but the run did not pass. Its output shows why.
        </Notice>
      )}
    </PageHeader>
  );
});

const pluralOf = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

function Orphaned({ run }: { run: RunSummary }) {
  if (run.state !== 'orphaned') return null;
  return (
    <Notice tone="orphan" title="Orphaned.">
      The publisher was last heard from <TimeAgo at={run.lastEventAt} suffix=" ago" />. Its next event brings the run
      back.
    </Notice>
  );
}

const trustTexts = {
  named: 'Published with a named token: it proves nodes.',
  local:
    'Published on this machine, or with the token of the operator: it proves nodes unless named tokens are required.',
  open: 'Published without a token where one is required: it proves nothing.',
} as const;

/** The publisher of a run, and how far it is trusted. */
function OriginChip({ run: { publisher, trust } }: { run: RunSummary }) {
  return (
    <Chip icon={trust === 'open' ? ShieldOff : ShieldCheck} title={trustTexts[trust]}>
      {publisher ?? (trust === 'open' ? 'no token' : 'local')}
    </Chip>
  );
}

function PublisherChip({ run }: { run: RunSummary }) {
  if (run.state !== 'running') return null;
  return (
    <Chip>
      <span className="tone-done inline-flex items-center gap-1.5">
        <i className="size-2 rounded-full bg-tone" /> publisher live, <TimeAgo at={run.lastEventAt} suffix=" ago" />
      </span>
    </Chip>
  );
}

/** How long the run took, or about how long it will still take, judged by its usual duration. */
function Left({ run, now, replaying }: { run: RunSummary; now: number; replaying: boolean }) {
  if (!run.startedAt || replaying) return null;
  const start = Date.parse(run.startedAt);
  if (run.state !== 'running') {
    const end = run.finishedAt ?? run.lastEventAt;
    return end ? <span className="shrink-0 text-fg-3">took {formatDuration(Date.parse(end) - start)}</span> : null;
  }
  const total = Math.max(run.totalScenarios ?? 0, run.scenarios);
  const byPace =
    run.scenariosFinished > 5 ? ((now - start) / run.scenariosFinished) * (total - run.scenariosFinished) : null;
  const usual = run.expectedMs === null ? 0 : run.expectedMs - (now - start);
  // Once the run is longer than usual, the usual duration predicts nothing.
  const left = usual > 0 ? usual : byPace;
  return left === null ? null : <span className="shrink-0 text-fg-3">about {formatRoughly(left)} left</span>;
}
