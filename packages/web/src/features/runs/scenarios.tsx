import { RefreshCw } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { RunDetail, ScenarioView } from '../../live/wire.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { MiddleCut } from '../../ui/middle-cut.tsx';
import { focusPanel } from '../../ui/place.ts';
import { Segmented } from '../../ui/segmented.tsx';
import type { Column } from '../../ui/table.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { scenarioAppearance, scenarioUrgency } from './run-appearance.ts';
import { completions, scenarioFilter } from './scenario-filter.ts';
import { useChosenScenario } from './use-chosen-scenario.ts';

const keyOf = (scenario: ScenarioView): string => scenario.uid;

const finished = ({ steps }: ScenarioView): number => steps.filter(({ status }) => status !== 'running').length;

const columnsFor = (live: boolean): readonly Column<ScenarioView>[] => [
  {
    id: 'state',
    head: <span className="sr-only">State</span>,
    width: '18px',
    sort: scenarioUrgency,
    cell: (one) => <StateIcon appearance={scenarioAppearance(one, live)} />,
  },
  {
    id: 'feature',
    head: 'Feature',
    width: 'minmax(90px,1fr)',
    sort: ({ feature }) => feature,
    cell: ({ feature }) => (
      <span className="text-fg-2">
        <MiddleCut text={feature} />
      </span>
    ),
  },
  {
    id: 'scenario',
    head: 'Scenario',
    width: 'minmax(200px,3fr)',
    sort: ({ scenario }) => scenario,
    cell: ({ scenario, tags }) => (
      <>
        <span dir="auto" className="font-medium">
          {scenario}
        </span>
        {tags.length > 0 && <span className="pl-2 text-fg-3 text-xs">{tags.join(' ')}</span>}
      </>
    ),
  },
  {
    id: 'attempt',
    head: 'Attempt',
    width: '58px',
    labelled: true,
    sort: ({ attempt }) => attempt,
    descendingFirst: true,
    cell: ({ attempt }) =>
      attempt > 1 ? (
        <span className="tone-warn inline-flex items-center gap-1 text-tone-text">
          <RefreshCw size={12} aria-hidden />
          {attempt}
        </span>
      ) : (
        <span className="text-fg-2">{attempt}</span>
      ),
  },
  {
    id: 'lane',
    head: 'Lane',
    width: '38px',
    labelled: true,
    sort: ({ lane }) => lane,
    cell: ({ lane }) => lane !== null && <span className="font-mono text-code text-fg-2">L{lane}</span>,
  },
  {
    id: 'steps',
    head: 'Steps',
    width: '46px',
    labelled: true,
    sort: ({ steps }) => steps.length || null,
    descendingFirst: true,
    cell: (one) => {
      const total = Math.max(one.totalSteps ?? 0, one.steps.length);
      return total === 0 ? null : (
        <span className="font-mono text-code text-fg-2">
          {finished(one)}/{total}
        </span>
      );
    },
  },
  {
    id: 'time',
    head: 'Time',
    width: '78px',
    labelled: true,
    sort: ({ durationMs }) => durationMs,
    descendingFirst: true,
    right: true,
    cell: ({ durationMs }) =>
      durationMs !== null && <span className="font-mono text-code">{formatDuration(durationMs)}</span>,
  },
];

const orders = [
  { value: 'attention', label: 'Attention' },
  { value: 'feature', label: 'Feature' },
  { value: 'source', label: 'Source' },
  { value: 'slowest', label: 'Slowest' },
] as const;
type Order = (typeof orders)[number]['value'];

const compare: Record<Order, ((a: ScenarioView, b: ScenarioView) => number) | null> = {
  attention: (a, b) => scenarioUrgency(a) - scenarioUrgency(b),
  // The service groups them by feature.
  feature: null,
  source: bySource,
  slowest: (a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0),
};

/** The order of the sources: by file and project, then by place in the file. */
function bySource(a: ScenarioView, b: ScenarioView): number {
  const key = ({ file, feature, project }: ScenarioView) => `${file ?? feature} ${project ?? ''}`;
  const [one, other] = [key(a), key(b)];
  if (one !== other) return one < other ? -1 : 1;
  return (a.order ?? a.line ?? 0) - (b.order ?? b.line ?? 0);
}

const filesSuggested = 200;

function knownWords(scenarios: readonly ScenarioView[]): { files: string[]; tags: string[] } {
  const [files, tags] = [new Set<string>(), new Set<string>()];
  for (const { file, tags: own } of scenarios) {
    if (file && files.size < filesSuggested) files.add(file);
    for (const tag of own) tags.add(tag);
  }
  return { files: [...files], tags: [...tags] };
}

/** Every scenario of the run; failures first, unless another order is chosen. */
export function Scenarios({ detail, views }: { detail: RunDetail; views: ReactNode }) {
  const { uid, choose } = useChosenScenario();
  const [filter, setText] = useSearchParam('q');
  const text = filter ?? '';
  const [word, setWord] = useSearchParam('order');
  const order = orders.find(({ value }) => value === word)?.value ?? 'attention';
  const live = detail.run.state === 'running';
  const columns = useMemo(() => columnsFor(live), [live]);
  const rows = useMemo(() => {
    const shown = text === '' ? detail.scenarios : detail.scenarios.filter(scenarioFilter(text));
    const by = compare[order];
    return by ? shown.toSorted(by) : shown;
  }, [detail.scenarios, text, order]);
  const known = useMemo(() => knownWords(detail.scenarios), [detail.scenarios]);
  const suggestions = useMemo(() => completions(text, known), [text, known]);
  useKeys({
    n: () => {
      const next = nextFailure(rows, uid);
      if (next === undefined) return false;
      choose(next);
      focusPanel();
    },
  });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-page py-2.5">
        <span className="flex max-w-full shrink-0">{views}</span>
        <Filter value={text} onChange={setText} label="Filter scenarios" suggestions={suggestions} />
        <Segmented
          label="Order"
          value={order}
          onChange={(to) => setWord(to === 'attention' ? null : to)}
          choices={orders}
        />
        <span className="ml-auto min-w-0 shrink-[9] truncate text-fg-3">{countWithNoun(rows.length, 'scenario')}</span>
      </div>
      <VirtualTable
        label="Scenarios"
        none={nothing(detail)}
        rows={rows}
        keyOf={keyOf}
        columns={columns}
        rowHeight={30}
        selected={uid}
        onSelect={choose}
      />
    </>
  );
}

function nothing({ run, scenarios }: RunDetail): string {
  if (scenarios.length > 0) return 'No matching scenarios.';
  return run.state === 'running' ? 'No scenario has started yet.' : 'This run reported no scenarios.';
}

function nextFailure(rows: readonly ScenarioView[], after: string | null): string | undefined {
  const failures = rows.filter(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted');
  const index = failures.findIndex(({ uid }) => uid === after);
  return failures[(index + 1) % Math.max(failures.length, 1)]?.uid;
}
