import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ask, at } from '../../../live/ask.ts';
import { keys } from '../../../live/keys.ts';
import { useRuns } from '../../../live/queries.ts';
import { Shown } from '../../../live/shown.tsx';
import type { RunDetail, RunSummary } from '../../../live/wire.ts';
import { useParam } from '../../../ui/search-params.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { roughly, took, useNow } from '../../../ui/time.tsx';
import { StateIcon, StateLabel } from '../../../ui/tone.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import { scenarioLook } from '../look.ts';
import { useChoice } from '../use-choice.ts';
import { type Difference, differencesOf, type Kind, kinds } from './differences.ts';
import { kindLooks } from './look.ts';

/** Which run it is compared with; those of the same suite first, the newest before this one is the natural choice. */
export function earlierOf(run: RunSummary, runs: readonly RunSummary[]): RunSummary[] {
  const others = runs.filter(({ runId }) => runId !== run.runId);
  const same = (other: RunSummary) => other.suite === run.suite && other.repository === run.repository;
  const before = (other: RunSummary) => (other.startedAt ?? '') < (run.startedAt ?? '');
  const rank = (other: RunSummary) => (same(other) ? (before(other) ? 0 : 1) : 2);
  return others.toSorted((a, b) => rank(a) - rank(b) || (b.startedAt ?? '').localeCompare(a.startedAt ?? ''));
}

export function Compare({ detail, other, views }: { detail: RunDetail; other: string; views: ReactNode }) {
  const [, setOther] = useParam('compare');
  const runs = earlierOf(detail.run, useRuns().data ?? []);
  const read = useQuery({
    queryKey: [...keys.run(other), 'detail'],
    queryFn: () => ask<RunDetail>('GET', at`/api/runs/${other}`),
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-[18px] py-2.5">
        {views}
        <span className="pl-2 text-fg-3">what changed since</span>
        <Picker runs={runs} value={other} onChange={setOther} />
      </div>
      <Shown of={read}>{(before) => <Differences before={before} after={detail} />}</Shown>
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
  const known = runs.some(({ runId }) => runId === value);
  return (
    <select
      aria-label="Compare with"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-7 max-w-[420px] rounded-md border border-line-strong bg-surface px-2 text-[12.5px]"
    >
      {!known && <option value={value}>run {value.slice(0, 8)}</option>}
      {runs.slice(0, 100).map(({ runId, suite, branch, startedAt }) => (
        <option key={runId} value={runId}>
          {suite} {runId.slice(0, 8)}
          {branch ? ` at ${branch}` : ''}
          {startedAt ? `, ${roughly(Math.max(0, now - Date.parse(startedAt)))} ago` : ''}
        </option>
      ))}
    </select>
  );
}

const keyOf = ({ uid }: Difference): string => uid;

function Differences({ before, after }: { before: RunDetail; after: RunDetail }) {
  const [word, setWord] = useParam('change');
  const { uid, choose } = useChoice();
  const all = useMemo(() => differencesOf(before, after), [before, after]);
  const which = kinds.find((kind) => kind === word) ?? null;
  const rows = useMemo(() => (which ? all.filter(({ kind }) => kind === which) : all), [all, which]);
  const columns = useMemo(() => columnsFor(before, after), [before, after]);
  const count = (kind: Kind) => all.filter((one) => one.kind === kind).length;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-[18px] py-2">
        <Segmented
          label="Which changes"
          value={which ?? 'all'}
          onChange={(to) => setWord(to === 'all' ? null : to)}
          choices={[
            { value: 'all', label: `All ${all.length}` },
            ...kinds.map((kind) => ({
              value: kind,
              label: `${kindLooks[kind].label} ${count(kind)}`,
              icon: kindLooks[kind].icon,
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

const columnsFor = (before: RunDetail, after: RunDetail): readonly Column<Difference>[] => [
  {
    id: 'kind',
    head: 'Change',
    width: '124px',
    cell: ({ kind }) => <StateLabel look={kindLooks[kind]} />,
  },
  {
    id: 'scenario',
    head: 'Scenario',
    width: 'minmax(200px,3fr)',
    cell: (one) => <span className="font-medium">{(one.after ?? one.before)?.scenario}</span>,
  },
  {
    id: 'feature',
    head: 'Feature',
    width: 'minmax(90px,1fr)',
    cell: (one) => <span className="text-fg-2">{(one.after ?? one.before)?.feature}</span>,
  },
  {
    id: 'verdicts',
    head: 'Before, now',
    width: '80px',
    cell: (one) => (
      <span className="flex items-center gap-2">
        {one.before ? <StateIcon look={scenarioLook(one.before, before.run.state === 'running')} /> : <span>none</span>}
        {one.after ? <StateIcon look={scenarioLook(one.after, after.run.state === 'running')} /> : <span>none</span>}
      </span>
    ),
  },
  {
    id: 'before',
    head: 'Took',
    width: '78px',
    right: true,
    cell: (one) => <span className="font-mono text-[11.5px] text-fg-2">{took(one.before?.durationMs ?? null)}</span>,
  },
  {
    id: 'after',
    head: 'Now',
    width: '78px',
    right: true,
    cell: (one) => <span className="font-mono text-[11.5px]">{took(one.after?.durationMs ?? null)}</span>,
  },
];
