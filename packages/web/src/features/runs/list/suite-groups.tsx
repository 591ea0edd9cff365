import { useInfiniteQuery } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { RunSummary, SuiteRun, SuiteSummary } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { type Appearance, StateIcon } from '../../../ui/appearance.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Chip } from '../../../ui/page.tsx';
import { shortId } from '../../../ui/short-id.ts';
import { formatDuration, TimeAgo } from '../../../ui/time.tsx';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import { QueryResult } from '../../shared/query-result.tsx';
import { runAppearance } from '../run-appearance.ts';
import { suitePagesQuery, useRuns } from '../run-queries.ts';
import { ChooseRun, useChoiceKeys } from './choose-run.tsx';
import type { Choice, ChosenRun } from './chosen-runs.ts';
import { runAgeAt } from './run-age.ts';
import type { RunsFilter } from './runs-filter.ts';
import { SuiteSparkline, suiteRunAppearance } from './suite-sparkline.tsx';
import { byStart, startOf } from './suites-by-start.ts';
import { slowerThanUsual } from './usual-length.ts';

/** Suites, the most recently started first, each with the results of its last runs and its newest runs. */
export function SuiteGroups({ filter, choice }: { filter: RunsFilter; choice: Choice }) {
  const pages = useInfiniteQuery(suitePagesQuery(filter));
  const list = useListKeys<HTMLUListElement>();
  const suites = useMemo(() => byStart(pages.data?.pages.flatMap(({ items }) => items) ?? []), [pages.data]);
  const known = useRuns().data;
  const summaries = useMemo(() => new Map(known?.map((run) => [run.runId, run])), [known]);
  useChoiceKeys(choice, (runId) => {
    const suite = suites.find(({ runs }) => runs.some((run) => run.runId === runId));
    const run = suite?.runs.find((one) => one.runId === runId);
    return suite && run && chosenOf(suite, run);
  });
  return (
    <QueryResult query={pages}>
      {({ pages: read }) => (
        <>
          <ul ref={list} className="flex flex-col gap-2.5">
            {suites.map((suite) => (
              <Suite key={`${suite.repository}\n${suite.suite}`} suite={suite} summaries={summaries} choice={choice} />
            ))}
          </ul>
          {suites.length === 0 && <p className="py-8 text-center text-fg-3">No suite fits the filter.</p>}
          {pages.hasNextPage && (
            <LoadMore
              shown={suites.length}
              total={read.at(-1)?.total ?? 0}
              noun="suite"
              isBusy={pages.isFetchingNextPage}
              onMore={() => void pages.fetchNextPage()}
            />
          )}
        </>
      )}
    </QueryResult>
  );
}

const chosenOf = ({ suite }: SuiteSummary, run: SuiteRun): ChosenRun => ({
  runId: run.runId,
  suite,
  startedAt: startOf(run),
});

/** A run has the same state everywhere: its summary shows more than whether it was green. */
function appearanceOf(run: SuiteRun, summaries: ReadonlyMap<string, RunSummary>): Appearance {
  const summary = summaries.get(run.runId);
  return summary ? runAppearance(summary) : suiteRunAppearance(run);
}

const collapsedCount = 3;

type SuiteProps = { suite: SuiteSummary; summaries: ReadonlyMap<string, RunSummary>; choice: Choice };

function Suite({ suite, summaries, choice }: SuiteProps) {
  const [isOpen, setOpen] = useState(false);
  const { runs, repository, repositoryName, expectedMs } = suite;
  const last = runs.find(({ state }) => state !== 'running') ?? runs[0];
  const passed = runs.filter(({ green }) => green).length;
  const ended = runs.filter(({ state }) => state !== 'running').length;
  return (
    <li className="panel">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2 px-3 py-2.5">
        {last && <StateIcon appearance={appearanceOf(last, summaries)} size={16} />}
        <h2 className="min-w-0 truncate font-semibold text-heading">{suite.suite}</h2>
        <Chip icon={GitBranch} title={repository}>
          {repositoryName ?? repository.split('/').pop()}
        </Chip>
        <span className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1.5">
          <span className="whitespace-nowrap text-fg-3 text-xs">
            {ended > 0 && passedText(passed, ended)}
            {expectedMs !== null && ended > 1 && `, usually ${formatDuration(expectedMs)}`}
          </span>
          <SuiteSparkline suite={suite} />
          <ButtonLink kind="ghost" href={paths.runsOfSuite(suite.suite, repository)}>
            All runs<span className="sr-only"> of {suite.suite}</span>
          </ButtonLink>
        </span>
      </div>
      <ul className="border-line border-t py-1">
        {runs.slice(0, isOpen ? runs.length : collapsedCount).map((run) => (
          <li key={run.runId} data-run={run.runId} className="flex items-center px-1.5">
            <ChooseRun run={chosenOf(suite, run)} choice={choice} />
            <SuiteRunRow
              run={run}
              summary={summaries.get(run.runId)}
              appearance={appearanceOf(run, summaries)}
              usualMs={expectedMs}
            />
          </li>
        ))}
      </ul>
      {runs.length > collapsedCount && (
        <div className="px-3 pb-2">
          <Button kind="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show the last ${runs.length}`}
          </Button>
        </div>
      )}
    </li>
  );
}

function passedText(passed: number, ended: number): string {
  if (passed === 0) return ended === 1 ? 'No passing run yet' : `None of the last ${ended} runs passed`;
  return ended === 1 ? 'The only run passed' : `${passed} of the last ${ended} runs passed`;
}

type SuiteRunProps = { run: SuiteRun; summary: RunSummary | undefined; appearance: Appearance; usualMs: number | null };

function SuiteRunRow({ run, summary, appearance, usualMs }: SuiteRunProps) {
  const slower = slowerThanUsual(run.durationMs, usualMs);
  return (
    <Link
      data-row
      href={paths.run(run.runId)}
      className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-0.5 rounded-md px-2 py-1 hover:bg-hover"
    >
      <StateIcon appearance={appearance} size={14} />
      <span className="shrink-0 font-mono text-code text-fg-2">{shortId(run.runId)}</span>
      {summary && summary.failed > 0 && (
        <span className="tone-fail shrink-0 text-tone-text">{countWithNoun(summary.failed, 'failure')}</span>
      )}
      <span className="min-w-0 truncate text-fg-3">
        {run.branch}
        {run.commit && <code className="pl-1.5 font-mono text-code">{run.commit.slice(0, 8)}</code>}
      </span>
      <span className="ml-auto flex shrink-0 items-baseline gap-x-2.5 text-fg-3 text-xs">
        {slower && <span className="tone-warn text-tone-text">{slower}</span>}
        {run.durationMs !== null && <span className="font-mono text-code">{formatDuration(run.durationMs)}</span>}
        <TimeAgo at={summary ? runAgeAt(summary) : startOf(run)} suffix=" ago" />
      </span>
    </Link>
  );
}
