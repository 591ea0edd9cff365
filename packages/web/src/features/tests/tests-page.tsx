import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import type { TestSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type Column, ColumnChoice, LinkTable, useTable } from '../../ui/table.tsx';
import { formatDuration, TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { NoRuns } from '../runs/list/no-runs.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { shareOfChanges, shareOfRuns } from './rates.ts';
import { Strip } from './strip.tsx';
import { type TestView, testsIn, testViews } from './test-views.ts';

const testsRead = 500;

/** Every test that needs attention, from all runs in the history. */
export function TestsPage() {
  useBreadcrumbs({ label: 'Tests' });
  const [word, setWord] = useSearchParam('view');
  const [suiteText, setSuite] = useSearchParam('suite');
  const view = testViews.find(({ value }) => value === word) ?? testViews[0];
  const known = useQuery({ queryKey: [...queryKeys.suites], queryFn: () => call('list_suites', {}) }).data;
  const suites = known ?? [];
  const chosen = suites.find((one) => keyOf(one) === suiteText);
  const filter = chosen ? { repository: chosen.repository, suite: chosen.suite } : {};
  const tests = useQuery({
    queryKey: [...queryKeys.tests, view.order, suiteText],
    queryFn: () => call('list_tests', { order: view.order, limit: testsRead, ...filter }),
  });
  return (
    <QueryResult query={tests}>
      {(list) => (
        <>
          <PageHeader title="Tests" description="Results of tests over their last runs, kept for a year." />
          <PageBody>
            {known?.length === 0 ? (
              <NoRuns />
            ) : (
              <>
                <div className="mb-3 flex flex-wrap items-center gap-2">
                  <Segmented
                    label="Which tests"
                    value={view.value}
                    onChange={(to) => setWord(to === 'flaky' ? null : to)}
                    choices={testViews}
                  />
                  <select
                    aria-label="Suite"
                    value={suiteText ?? ''}
                    onChange={(event) => setSuite(event.target.value || null)}
                    className="h-7 max-w-[300px] rounded-md border border-edge bg-surface px-2 text-control"
                  >
                    <option value="">All suites</option>
                    {suites.map((one) => (
                      <option key={keyOf(one)} value={keyOf(one)}>
                        {one.suite} in {one.repositoryName ?? one.repository.split('/').pop()}
                      </option>
                    ))}
                  </select>
                  <span className="ml-auto text-fg-3">{view.description}</span>
                </div>
                <List tests={testsIn(list, view.value)} view={view.value} />
              </>
            )}
          </PageBody>
        </>
      )}
    </QueryResult>
  );
}

const keyOf = ({ repository, suite }: { repository: string; suite: string }) => `${suite}\n${repository}`;

const columns: readonly Column<TestSummary>[] = [
  {
    id: 'test',
    head: 'Test',
    width: 'minmax(200px,4fr)',
    sort: ({ uid }) => nameOf(uid),
    cell: ({ uid }) => <bdi>{nameOf(uid)}</bdi>,
  },
  {
    id: 'suite',
    head: 'Suite',
    width: 'minmax(90px,1.6fr)',
    from: 700,
    sort: ({ suite, uid }) => `${suite} ${uid}`,
    cell: ({ uid, suite, repositoryName, thisHostOnly }) => (
      <span className="text-fg-3" title={repositoryName ?? undefined}>
        {[uid.includes('/') && uid.slice(0, uid.indexOf('/')), suite, thisHostOnly && 'this host only']
          .filter(Boolean)
          .join(', ')}
      </span>
    ),
  },
  {
    id: 'recent',
    head: 'Last runs',
    width: '124px',
    cell: ({ recent }) => <Strip verdicts={recent} />,
  },
  {
    id: 'failing',
    head: 'Failing for',
    width: '76px',
    labelled: true,
    has: ({ sinceAt }) => sinceAt !== null,
    sort: ({ sinceAt }) => sinceAt,
    descendingFirst: true,
    cell: ({ sinceAt, sinceCommit }) =>
      sinceAt && (
        <span className="tone-fail text-tone-text" title={sinceCommit ? `since ${sinceCommit}` : undefined}>
          <TimeAgo at={sinceAt} />
        </span>
      ),
  },
  {
    id: 'failed',
    head: 'Failed',
    width: '72px',
    labelled: true,
    has: ({ failRate }) => failRate > 0,
    sort: ({ failRate }) => failRate,
    descendingFirst: true,
    cell: ({ failRate, runs }) => failRate > 0 && shareOfRuns(failRate, runs),
  },
  {
    id: 'flips',
    head: 'Changed',
    width: '72px',
    from: 1200,
    labelled: true,
    has: ({ flipRate }) => flipRate > 0,
    sort: ({ flipRate }) => flipRate,
    descendingFirst: true,
    cell: ({ flipRate, runs }) =>
      flipRate > 0 && (
        <span title="How often the verdict changed from one run to the next">{shareOfChanges(flipRate, runs)}</span>
      ),
  },
  {
    id: 'retried',
    head: 'Retried',
    width: '72px',
    from: 1100,
    labelled: true,
    has: ({ retried }) => retried > 0,
    sort: ({ retried }) => retried,
    descendingFirst: true,
    cell: ({ retried, runs, reasons }) =>
      retried > 0 && <span title={reasons.join('\n')}>{`${retried} of ${runs}`}</span>,
  },
  {
    id: 'took',
    head: 'Takes',
    width: '72px',
    from: 1200,
    right: true,
    labelled: true,
    has: ({ medianMs }) => medianMs !== null,
    sort: ({ medianMs }) => medianMs,
    descendingFirst: true,
    cell: ({ medianMs }) =>
      medianMs !== null && <span className="font-mono text-code">{formatDuration(medianMs)}</span>,
  },
  {
    id: 'last',
    head: 'Last run',
    width: '60px',
    right: true,
    labelled: true,
    from: 900,
    sort: ({ lastAt }) => lastAt,
    descendingFirst: true,
    cell: ({ lastAt }) => (
      <span className="text-fg-3">
        <TimeAgo at={lastAt} />
      </span>
    ),
  },
];

const nameOf = (uid: string): string => uid.slice(uid.indexOf('/') + 1);

const shownAtMost = 200;

function List({ tests, view }: { tests: readonly TestSummary[]; view: TestView }) {
  const [text, setText] = useState('');
  const list = useListKeys<HTMLDivElement>();
  const wanted = text.toLowerCase();
  const found = tests.filter(({ uid, suite }) => `${uid} ${suite}`.toLowerCase().includes(wanted));
  const table = useTable('tests', found, columns);
  const shown = { ...table, rows: table.rows.slice(0, shownAtMost) };
  if (tests.length === 0)
    return (
      <EmptyState icon={FlaskConical} title="No tests to show">
        <p>{testViews.find(({ value }) => value === view)?.none}</p>
      </EmptyState>
    );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Filter value={text} onChange={setText} label="Filter tests" />
        <span className="text-fg-3">{countWithNoun(found.length, 'test')}</span>
        <span className="flex-1" />
        <ColumnChoice table={table} />
      </div>
      <div ref={list} className="panel">
        <LinkTable
          label="Tests"
          table={shown}
          keyOf={(test) => `${keyOf(test)} ${test.uid}`}
          hrefOf={({ lastRunId, uid }) => paths.test(lastRunId, uid)}
          linkColumn="test"
        />
      </div>
      {found.length === 0 && <p className="py-8 text-center text-fg-3">No matching tests.</p>}
      {found.length > shownAtMost && (
        <p className="py-3 text-center text-fg-3">and {countWithNoun(found.length - shownAtMost, 'more test')}</p>
      )}
    </>
  );
}
