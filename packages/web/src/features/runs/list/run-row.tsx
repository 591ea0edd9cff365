import { GitBranch, Server, Tag } from 'lucide-react';
import { Link } from 'wouter';
import type { RunSummary } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { StateChip, StateIcon } from '../../../ui/appearance.tsx';
import { formatCount } from '../../../ui/format-count.ts';
import { Chip } from '../../../ui/page.tsx';
import { StateBar } from '../../../ui/state-bar.tsx';
import { formatDuration, TimeAgo } from '../../../ui/time.tsx';
import { runAppearance, runStateCounts } from '../run-appearance.ts';
import { slowerThanUsual } from './usual-length.ts';

const durationOf = ({ startedAt, finishedAt, lastEventAt, state }: RunSummary): number | null => {
  const end = finishedAt ?? (state === 'orphaned' ? lastEventAt : null);
  return startedAt && end ? Date.parse(end) - Date.parse(startedAt) : null;
};

/** One run: its progress, its result and its publisher. */
export function RunRow({ run, host }: { run: RunSummary; host: string | null }) {
  const { parts, total } = runStateCounts(run);
  const duration = durationOf(run);
  const slower = slowerThanUsual(duration, run.expectedMs);
  return (
    <Link
      href={paths.run(run.runId)}
      className="panel flex min-w-0 flex-1 flex-col gap-2.5 px-4 py-3 transition-colors hover:border-line-strong hover:bg-raised"
    >
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <StateIcon appearance={runAppearance(run)} size={16} />
        <span className="max-w-[calc(100%-26px)] truncate font-semibold text-heading">{run.suite}</span>
        <span className="shrink-0 font-mono text-fg-3 text-xs">{run.runId.slice(0, 8)}</span>
        <Chip icon={GitBranch}>
          {run.repositoryName ?? run.repository.split('/').pop()}
          {run.branch ? ` at ${run.branch}` : ''}
        </Chip>
        {run.tag && <Chip icon={Tag}>{run.tag}</Chip>}
        {host && (
          <Chip icon={Server} title="Host">
            {host}
          </Chip>
        )}
        <span className="ml-auto shrink-0 text-fg-3 text-xs">
          {run.state === 'running' ? 'started ' : ''}
          <TimeAgo at={run.state === 'running' ? run.startedAt : (run.finishedAt ?? run.lastEventAt)} suffix=" ago" />
          {duration !== null && `, took ${formatDuration(duration)}`}
          {slower && <span className="tone-warn text-tone-text">, {slower}</span>}
        </span>
      </span>
      <span className="flex items-center gap-3">
        <StateBar parts={parts} total={total} />
        <span className="w-[92px] shrink-0 text-right font-mono text-code text-fg-2">
          {formatCount(run.scenariosFinished)}/{formatCount(total)}
        </span>
      </span>
      <span className="flex flex-wrap gap-1.5">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ appearance, count }) => (
            <StateChip key={appearance.label} appearance={appearance} count={count} />
          ))}
      </span>
    </Link>
  );
}
