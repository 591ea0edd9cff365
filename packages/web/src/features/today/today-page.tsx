import { usePrefetchInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { type Report, type ReportGroup, reportMarkdown } from 'signalbox/browser/report';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { formatMoment } from '../../ui/time.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { DayFeed } from './day-feed.tsx';
import { LanesChart } from './lanes-chart.tsx';
import { ReportFigures } from './report-figures.tsx';
import { FirstNext, ReportLists } from './report-lists.tsx';
import { ReportTable } from './report-table.tsx';
import { feedQuery, reportQuery } from './today-queries.ts';

const times = [
  { value: 'today', label: 'Today' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 days' },
  { value: 'since', label: 'Since…' },
] as const;
type Time = (typeof times)[number]['value'];

const groups = [
  { value: 'agent', label: 'Agent' },
  { value: 'person', label: 'Person' },
  { value: 'repository', label: 'Repository' },
  { value: 'plan', label: 'Plan' },
] as const satisfies readonly { value: ReportGroup; label: string }[];

/** Midnight in the reader's time zone. */
const midnight = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

const heading = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The work of the team: the figures, who held what, the feed, and what comes next. */
export function TodayPage() {
  useBreadcrumbs({ label: 'Today' });
  const [word, setSince] = useSearchParam('since');
  const [group, setGroup] = useSearchParam('by');
  const by = groups.find(({ value }) => value === group)?.value ?? 'agent';
  const [today] = useState(midnight);
  const since = word === null || word === 'today' || word === 'since' ? today : word;
  const time: Time = word === null ? 'today' : (times.find(({ value }) => value === word)?.value ?? 'since');
  const report = useQuery(reportQuery(since, by));
  // The feed is requested at once, without waiting for the report.
  usePrefetchInfiniteQuery(feedQuery(since));
  return (
    <>
      <PageHeader
        title="Today"
        description={
          report.data && `${heading.format(new Date(report.data.until))}, as of ${formatMoment(report.data.until)}`
        }
        actions={
          <>
            {time === 'since' && (
              <input
                type="datetime-local"
                aria-label="Since"
                defaultValue={localInput(since)}
                onChange={(event) => event.target.value && setSince(new Date(event.target.value).toISOString())}
                className="h-7 rounded-md border border-edge bg-surface px-2 text-control"
              />
            )}
            <Segmented
              label="Time"
              value={time}
              onChange={(to) => setSince(to === 'today' ? null : to)}
              choices={times}
            />
            <Segmented
              label="Rows"
              value={by}
              onChange={(to) => setGroup(to === 'agent' ? null : to)}
              choices={groups}
            />
            {report.data && (
              <CopyTextButton text={reportMarkdown(report.data, formatMoment, zone)} title="Copy as Markdown">
                Copy
              </CopyTextButton>
            )}
          </>
        }
      />
      <QueryResult query={report}>{(answer) => <Day report={answer} since={since} />}</QueryResult>
    </>
  );
}

function Day({ report, since }: { report: Report; since: string }) {
  const { lanes = [], rows, working, stuck } = report;
  const isEmpty = rows.length === 0 && working.length === 0 && stuck.total === 0;
  return (
    <PageBody>
      <div className="flex flex-col gap-3">
        {report.cut && (
          <Notice tone="warn" title="Too much happened.">
            Only what happened since {formatMoment(report.since)} is counted. Choose a later time.
          </Notice>
        )}
        {isEmpty ? (
          <EmptyState icon={CalendarDays} title="Nothing happened yet">
            <p>Claims, proofs, runs and sign-offs of all plans appear here as they happen.</p>
          </EmptyState>
        ) : (
          <>
            <ReportFigures report={report} />
            {lanes.length > 0 && <LanesChart report={report} lanes={lanes} />}
          </>
        )}
        <div className="grid grid-cols-[minmax(0,2.4fr)_minmax(0,1.2fr)_minmax(0,0.9fr)] items-start gap-3 max-xl:grid-cols-2 max-md:grid-cols-1">
          {!isEmpty && (
            <div className="max-xl:col-span-2 max-md:col-span-1">
              <ReportTable report={report} />
            </div>
          )}
          <DayFeed since={since} />
          <FirstNext first={report.first} />
        </div>
        <ReportLists report={report} />
      </div>
    </PageBody>
  );
}

/** An instant in the format of an input for local time. */
function localInput(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
