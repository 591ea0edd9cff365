import type { RunSummary } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { StateLabel } from '../../../ui/appearance.tsx';
import { formatCount } from '../../../ui/format-count.ts';
import { shortId } from '../../../ui/short-id.ts';
import { StateBar } from '../../../ui/state-bar.tsx';
import { type Column, ColumnChoice, LinkTable, useTable } from '../../../ui/table.tsx';
import { formatDuration, TimeAgo } from '../../../ui/time.tsx';
import { runAppearance, runStateCounts } from '../run-appearance.ts';
import { ChooseRun } from './choose-run.tsx';
import type { Choice } from './chosen-runs.ts';
import { runAgeAt } from './run-age.ts';
import { slowerThanUsual } from './usual-length.ts';

const durationOf = ({ startedAt, finishedAt, lastEventAt, state }: RunSummary): number | null => {
  const end = finishedAt ?? (state === 'orphaned' ? lastEventAt : null);
  return startedAt && end ? Date.parse(end) - Date.parse(startedAt) : null;
};

const repositoryOf = ({ repositoryName, repository }: RunSummary): string =>
  repositoryName ?? repository.split('/').pop() ?? repository;

const chooseColumn = (choice: Choice): Column<RunSummary> => ({
  id: 'choose',
  head: <span className="sr-only">Compare</span>,
  width: '28px',
  cell: (run) => <ChooseRun run={run} choice={choice} />,
});

const hostColumn: Column<RunSummary> = {
  id: 'host',
  head: 'Host',
  width: '90px',
  sort: ({ host }) => host,
  cell: ({ host }) => <span className="text-fg-3">{host}</span>,
};

const columns: readonly Column<RunSummary>[] = [
  {
    id: 'state',
    head: 'State',
    width: '124px',
    sort: (run) => runAppearance(run).label,
    cell: (run) => <StateLabel appearance={runAppearance(run)} />,
  },
  {
    id: 'suite',
    head: 'Suite',
    width: 'minmax(110px,1.6fr)',
    sort: ({ suite }) => suite,
    cell: ({ suite }) => <bdi>{suite}</bdi>,
  },
  {
    id: 'run',
    head: 'Run',
    width: '108px',
    from: 1100,
    sort: ({ runId }) => runId,
    cell: ({ runId }) => (
      <span className="font-mono text-code text-fg-3" title={runId}>
        {shortId(runId)}
      </span>
    ),
  },
  {
    id: 'results',
    head: 'Results',
    width: 'minmax(80px,1fr)',
    from: 1280,
    cell: (run) => (
      <span className="block max-[480px]:min-w-24">
        <StateBar {...runStateCounts(run)} />
      </span>
    ),
  },
  {
    id: 'failed',
    head: 'Failed',
    width: '48px',
    right: true,
    labelled: true,
    has: ({ failed }) => failed > 0,
    sort: ({ failed }) => failed || null,
    descendingFirst: true,
    cell: ({ failed }) => failed > 0 && <span className="tone-fail text-tone-text">{formatCount(failed)}</span>,
  },
  {
    id: 'tests',
    head: 'Tests',
    width: '78px',
    right: true,
    labelled: true,
    sort: (run) => runStateCounts(run).total,
    descendingFirst: true,
    cell: (run) => {
      const { total } = runStateCounts(run);
      return (
        <span className="font-mono text-code text-fg-2">
          {run.scenariosFinished === total ? '' : `${formatCount(run.scenariosFinished)}/`}
          {formatCount(total)}
        </span>
      );
    },
  },
  {
    id: 'repository',
    head: 'Repository, branch',
    width: 'minmax(100px,1.4fr)',
    from: 700,
    sort: (run) => `${repositoryOf(run)} ${run.branch ?? ''}`,
    cell: (run) => (
      <span className="text-fg-2" title={run.branch ? `${run.repository}, ${run.branch}` : run.repository}>
        {repositoryOf(run)}
        {run.branch && <span className="text-fg-3"> · {run.branch}</span>}
      </span>
    ),
  },
  {
    id: 'tag',
    head: 'Tag',
    width: 'minmax(80px,1.3fr)',
    from: 1200,
    has: ({ tag }) => tag !== null,
    sort: ({ tag }) => tag,
    cell: ({ tag }) => <span className="text-fg-2">{tag}</span>,
  },
  {
    id: 'took',
    head: 'Took',
    width: '88px',
    right: true,
    labelled: true,
    sort: durationOf,
    descendingFirst: true,
    cell: (run) => {
      const took = durationOf(run);
      const slower = slowerThanUsual(took, run.expectedMs);
      return (
        took !== null && (
          <span
            className={`font-mono text-code ${slower ? 'tone-warn text-tone-text' : ''}`}
            title={slower ?? undefined}
          >
            {formatDuration(took)}
            {slower && <span className="sr-only">, {slower}</span>}
          </span>
        )
      );
    },
  },
  {
    id: 'age',
    head: 'Age',
    width: '56px',
    right: true,
    labelled: true,
    sort: runAgeAt,
    descendingFirst: true,
    cell: (run) => (
      <span className="text-fg-3">
        <TimeAgo at={runAgeAt(run)} />
      </span>
    ),
  },
];

/** Runs as a dense table; each row is the link to its run. */
export function RunTable({ runs, choice }: { runs: readonly RunSummary[]; choice: Choice }) {
  const severalHosts = new Set(runs.map(({ host }) => host)).size > 1;
  const table = useTable('runs', runs, [chooseColumn(choice), ...columns, ...(severalHosts ? [hostColumn] : [])]);
  return (
    <>
      {/* Placed at the end of the row of filters, which leaves room for it. */}
      <div className="pointer-events-none mb-3 flex justify-end *:pointer-events-auto md:-mt-10">
        <ColumnChoice table={table} />
      </div>
      <div className="panel">
        <LinkTable
          label="Runs"
          table={table}
          keyOf={({ runId }) => runId}
          hrefOf={({ runId }) => paths.run(runId)}
          linkColumn="suite"
          attributesOf={({ runId }) => ({ 'data-run': runId })}
        />
      </div>
    </>
  );
}
