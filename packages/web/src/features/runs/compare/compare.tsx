import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { call } from '../../../live/call.ts';
import type { RunDetail, RunSummary, ScenarioView, TestSummary } from '../../../live/wire.ts';
import { paths } from '../../../paths.ts';
import { StateIcon, StateLabel } from '../../../ui/appearance.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { shortId } from '../../../ui/short-id.ts';
import type { Column } from '../../../ui/table.tsx';
import { formatAge, formatDuration, useNow } from '../../../ui/time.tsx';
import { useSearchParam } from '../../../ui/use-search-param.ts';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { queryKeys } from '../../shared/query-keys.ts';
import { QueryResult } from '../../shared/query-result.tsx';
import { scenarioAppearance } from '../run-appearance.ts';
import { runQuery, useRuns } from '../run-queries.ts';
import { useChosenScenario } from '../use-chosen-scenario.ts';
import { differenceAppearances } from './difference-appearance.ts';
import { type Difference, type DifferenceKind, differenceKinds, differencesOf } from './differences.ts';
import { reasonsOf } from './reasons.ts';

/** The run to compare with: runs of the same suite come first, and the newest one before this run is preselected. */
export function earlierOf(run: RunSummary, runs: readonly RunSummary[]): RunSummary[] {
  const others = runs.filter(({ runId }) => runId !== run.runId);
  const same = (other: RunSummary) => other.suite === run.suite && other.repository === run.repository;
  const before = (other: RunSummary) => (other.startedAt ?? '') < (run.startedAt ?? '');
  const rank = (other: RunSummary) => (same(other) ? (before(other) ? 0 : 1) : 2);
  return others.toSorted((a, b) => rank(a) - rank(b) || (b.startedAt ?? '').localeCompare(a.startedAt ?? ''));
}

export function Compare({ detail, other, views }: { detail: RunDetail; other: string; views: ReactNode }) {
  const [, setOther] = useSearchParam('compare');
  const runs = earlierOf(detail.run, useRuns().data ?? []);
  const read = useQuery(runQuery(other));
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
        {views}
        <span className="text-fg-3 md:pl-2">what changed since</span>
        <Picker runs={runs} value={other} onChange={setOther} />
        <Link href={paths.run(other)} className="underline decoration-dotted underline-offset-2">
          open that run
        </Link>
      </div>
      <QueryResult query={read}>{(before) => <Differences before={before} after={detail} />}</QueryResult>
    </>
  );
}

function Picker({
  runs,
  value,
  onChange,
}: {
  runs: readonly RunSummary[];
  value: string;
  onChange: (id: string) => void;
}) {
  const now = useNow();
  const isListed = runs.some(({ runId }) => runId === value);
  return (
    <select
      aria-label="Compare with"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-7 min-w-0 max-w-[min(420px,100%)] rounded-md border border-edge bg-surface px-2 text-control"
    >
      {!isListed && <option value={value}>run {shortId(value)}</option>}
      {runs.slice(0, 100).map(({ runId, suite, branch, startedAt }) => (
        <option key={runId} value={runId}>
          {suite} {shortId(runId)}
          {branch ? ` at ${branch}` : ''}
          {startedAt ? `, ${formatAge(Math.max(0, now - Date.parse(startedAt)))} ago` : ''}
        </option>
      ))}
    </select>
  );
}

const keyOf = ({ uid }: Difference): string => uid;

const testsRead = 500;

/** Recent facts about the tests of the suite: which are flaky, and which fail. */
function useTestFacts({ suite, repository }: RunSummary): ReadonlyMap<string, TestSummary> {
  const { data } = useQuery({
    queryKey: [...queryKeys.tests, 'facts', repository, suite],
    queryFn: async () => {
      const filter = { suite, repository, limit: testsRead };
      const lists = await Promise.all([
        call('list_tests', { ...filter, order: 'failing' }),
        call('list_tests', { ...filter, order: 'flaky' }),
      ]);
      return new Map(lists.flat().map((test) => [test.uid, test]));
    },
  });
  return data ?? noFacts;
}
const noFacts: ReadonlyMap<string, TestSummary> = new Map();

function Differences({ before, after }: { before: RunDetail; after: RunDetail }) {
  const [word, setWord] = useSearchParam('change');
  const { uid, choose } = useChosenScenario();
  const all = useMemo(() => differencesOf(before, after), [before, after]);
  const which = differenceKinds.find((kind) => kind === word) ?? null;
  const rows = useMemo(() => (which ? all.filter(({ kind }) => kind === which) : all), [all, which]);
  const facts = useTestFacts(after.run);
  const now = Math.floor(useNow() / 60_000) * 60_000;
  const columns = useMemo(() => columnsFor(before, after, facts, now), [before, after, facts, now]);
  const count = (kind: DifferenceKind) => all.filter((one) => one.kind === kind).length;
  const isOtherSuite = before.run.suite !== after.run.suite || before.run.repository !== after.run.repository;
  return (
    <>
      {isOtherSuite && (
        <div className="px-page pt-2">
          <Notice tone="warn">
            {before.run.suite} is a different suite than {after.run.suite}. Tests of the same id are compared; the rest
            are listed as missing or added.
          </Notice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2">
        <Segmented
          label="Which changes"
          value={which ?? 'all'}
          onChange={(to) => setWord(to === 'all' ? null : to)}
          choices={[
            { value: 'all', label: `All ${all.length}` },
            ...differenceKinds.map((kind) => ({
              value: kind,
              label: `${differenceAppearances[kind].label} ${count(kind)}`,
              icon: differenceAppearances[kind].icon,
            })),
          ]}
        />
      </div>
      {rows.length === 0 ? (
        <p className="py-10 text-center text-fg-3">
          {all.length === 0
            ? 'Nothing differs: the same scenarios with the same verdicts, none of them slower.'
            : 'None.'}
        </p>
      ) : (
        <VirtualTable
          label="Differences"
          rows={rows}
          keyOf={keyOf}
          columns={columns}
          rowHeight={30}
          selected={uid}
          onSelect={choose}
        />
      )}
    </>
  );
}

const durationCell = (one: ScenarioView | null | undefined, tone = '') =>
  one &&
  one.durationMs !== null && <span className={`font-mono text-code ${tone}`}>{formatDuration(one.durationMs)}</span>;

const columnsFor = (
  before: RunDetail,
  after: RunDetail,
  facts: ReadonlyMap<string, TestSummary>,
  now: number,
): readonly Column<Difference>[] => [
  {
    id: 'kind',
    head: 'Change',
    width: '124px',
    cell: ({ kind }) => <StateLabel appearance={differenceAppearances[kind]} />,
  },
  {
    id: 'scenario',
    head: 'Scenario',
    width: 'minmax(160px,5fr)',
    cell: (one) => <span className="font-medium">{(one.after ?? one.before)?.scenario}</span>,
  },
  {
    id: 'feature',
    head: 'Feature',
    width: 'minmax(80px,0.9fr)',
    from: 1200,
    cell: (one) => <span className="text-fg-2">{(one.after ?? one.before)?.feature}</span>,
  },
  {
    id: 'why',
    head: 'Why',
    width: 'minmax(160px,5fr)',
    cell: (one) => {
      const text = reasonsOf(one, facts.get(one.uid), now).join(' · ');
      return (
        <span className="text-fg-2" title={text}>
          {text}
        </span>
      );
    },
  },
  {
    id: 'verdicts',
    head: 'Before → now',
    width: '88px',
    labelled: true,
    cell: (one) => (
      <span className="inline-flex items-center gap-1.5 align-middle">
        {one.before ? (
          <StateIcon appearance={scenarioAppearance(one.before, before.run.state === 'running')} />
        ) : (
          <span>none</span>
        )}
        <ArrowRight size={12} className="text-fg-3" aria-hidden />
        {one.after ? (
          <StateIcon appearance={scenarioAppearance(one.after, after.run.state === 'running')} />
        ) : (
          <span>none</span>
        )}
      </span>
    ),
  },
  {
    id: 'before',
    head: 'Took before',
    width: '84px',
    from: 1200,
    labelled: true,
    right: true,
    cell: ({ before: one }) => durationCell(one, 'text-fg-2'),
  },
  {
    id: 'after',
    head: 'Takes now',
    width: '84px',
    labelled: true,
    right: true,
    cell: ({ after: one }) => durationCell(one),
  },
];
