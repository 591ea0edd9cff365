import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../live/call.ts';
import type { TestSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { Chip, EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatDuration, TimeAgo } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { DemoCommand } from '../shared/demo-command.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { Strip } from './strip.tsx';
import { type TestView, testsIn, testViews } from './test-views.ts';

const testsRead = 500;

/** Every test that needs attention, over all runs that the history has. */
export function TestsPage() {
  useBreadcrumbs({ label: 'Tests' });
  const [word, setWord] = useSearchParam('view');
  const [suiteText, setSuite] = useSearchParam('suite');
  const view = testViews.find(({ value }) => value === word) ?? testViews[0];
  const suites = useQuery({ queryKey: [...queryKeys.suites], queryFn: () => call('list_suites', {}) }).data ?? [];
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
                className="h-7 max-w-[300px] rounded-md border border-line-strong bg-surface px-2 text-control"
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
          </PageBody>
        </>
      )}
    </QueryResult>
  );
}

const keyOf = ({ repository, suite }: { repository: string; suite: string }) => `${suite}\n${repository}`;

const shownAtMost = 200;

function List({ tests, view }: { tests: readonly TestSummary[]; view: TestView }) {
  const [text, setText] = useState('');
  const list = useListKeys<HTMLUListElement>();
  const wanted = text.toLowerCase();
  const shown = tests.filter(({ uid, suite }) => `${uid} ${suite}`.toLowerCase().includes(wanted));
  if (tests.length === 0)
    return (
      <EmptyState icon={FlaskConical} title="None">
        <p>{testViews.find(({ value }) => value === view)?.none}</p>
        <DemoCommand />
      </EmptyState>
    );
  return (
    <>
      <div className="mb-3 flex items-center gap-2">
        <Filter value={text} onChange={setText} label="Filter tests" />
        <span className="text-fg-3">{countWithNoun(shown.length, 'test')}</span>
      </div>
      <ul ref={list} className="flex flex-col gap-1.5">
        {shown.slice(0, shownAtMost).map((test) => (
          <li key={`${keyOf(test)} ${test.uid}`}>
            <Row test={test} />
          </li>
        ))}
      </ul>
      {shown.length > shownAtMost && (
        <p className="py-3 text-center text-fg-3">and {countWithNoun(shown.length - shownAtMost, 'more test')}</p>
      )}
    </>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function Row({ test }: { test: TestSummary }) {
  const { uid, suite, repositoryName, recent, retried, flipRate, failRate, medianMs, sinceAt, sinceCommit, runs } =
    test;
  const slash = uid.indexOf('/');
  return (
    <Link
      href={paths.test(test.lastRunId, uid)}
      className="panel grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-3 py-2 hover:border-line-strong hover:bg-raised"
    >
      <span className="min-w-0">
        <span className="block truncate font-medium">{uid.slice(slash + 1)}</span>
        <span className="block truncate text-fg-3 text-sm">
          {slash > 0 ? `${uid.slice(0, slash)}, ` : ''}
          {suite}
          {repositoryName ? ` in ${repositoryName}` : ''}
        </span>
      </span>
      <span className="flex flex-wrap items-center justify-end gap-1.5">
        {test.thisHostOnly && <Chip title="The suite is too large to be shared between hosts">this host only</Chip>}
        {sinceAt && (
          <Chip>
            fails since <TimeAgo at={sinceAt} suffix=" ago" />
            {sinceCommit && ` at ${sinceCommit.slice(0, 8)}`}
          </Chip>
        )}
        {retried > 0 && (
          <Chip title={test.reasons.join('\n')}>
            retried in {retried} of {runs}
          </Chip>
        )}
        {flipRate > 0 && <Chip>{percent(flipRate)} flips</Chip>}
        {failRate > 0 && <Chip>{percent(failRate)} failed</Chip>}
        {medianMs !== null && <Chip>{formatDuration(medianMs)}</Chip>}
        <Strip verdicts={recent} />
      </span>
    </Link>
  );
}
