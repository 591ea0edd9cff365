import { useQuery } from '@tanstack/react-query';
import { Eraser, X } from 'lucide-react';
import { useState } from 'react';
import { useBreadcrumbs } from '../../../ui/breadcrumbs.ts';
import { Button } from '../../../ui/button.tsx';
import { Filter } from '../../../ui/filter.tsx';
import { countWithNoun } from '../../../ui/format-count.ts';
import { PageBody, PageHeader } from '../../../ui/page.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { useMay } from '../../shared/me.ts';
import { QueryResult } from '../../shared/query-result.tsx';
import { EjectManyDialog } from '../eject-dialog.tsx';
import { runCountsQuery } from '../run-queries.ts';
import { ComparisonBar } from './choose-run.tsx';
import { useChosenRuns } from './chosen-runs.ts';
import { NoRuns } from './no-runs.tsx';
import { RunsByTime } from './runs-by-time.tsx';
import { type RunsFilterControls, useRunsFilter } from './runs-filter.ts';
import { SuiteGroups } from './suite-groups.tsx';

export function RunsPage() {
  useBreadcrumbs({ label: 'Runs' });
  const [ejecting, setEjecting] = useState(false);
  const counts = useQuery(runCountsQuery());
  const mayEject = useMay('admin');
  return (
    <QueryResult query={counts}>
      {(count) => (
        <>
          <PageHeader
            title="Runs"
            description="Test runs as they happen. Every publisher on this host that finds the console shows up here."
            actions={
              count.all > 0 && (
                <Button icon={Eraser} {...mayEject} onClick={() => setEjecting(true)}>
                  Eject old runs
                </Button>
              )
            }
          />
          <PageBody>{count.all === 0 ? <NoRuns /> : <Runs all={count.all} />}</PageBody>
          {ejecting && <EjectManyDialog count={count} onClose={() => setEjecting(false)} />}
        </>
      )}
    </QueryResult>
  );
}

function Runs({ all }: { all: number }) {
  const controls = useRunsFilter();
  const choice = useChosenRuns();
  const { filter, grouping } = controls;
  return (
    <>
      <Toolbar controls={controls} all={all} />
      {grouping === 'suite' ? (
        <SuiteGroups filter={filter} choice={choice} />
      ) : (
        <RunsByTime filter={filter} choice={choice} />
      )}
      <ComparisonBar choice={choice} />
    </>
  );
}

function Toolbar({ controls, all }: { controls: RunsFilterControls; all: number }) {
  const { filter } = controls;
  return (
    <div
      className={`mb-3 flex min-h-7 flex-wrap items-center gap-2 ${controls.grouping === 'time' ? 'md:pr-[122px]' : ''}`}
    >
      <Filter value={controls.text} onChange={controls.setText} label="Filter by suite, tag, branch" />
      <Segmented
        label="Which runs"
        value={controls.which}
        onChange={controls.setWhich}
        choices={[
          { value: 'all', label: 'All' },
          { value: 'live', label: 'Live' },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <Segmented
        label="Group runs"
        value={controls.grouping}
        onChange={controls.setGrouping}
        choices={[
          { value: 'time', label: 'By time' },
          { value: 'suite', label: 'By suite' },
        ]}
      />
      {filter.tag && <Applied name={`tag ${filter.tag}`} onDrop={controls.dropTag} />}
      {filter.suite && <Applied name={`suite ${filter.suite}`} onDrop={controls.dropSuite} />}
      {controls.isNarrowed && (
        <Button kind="ghost" onClick={controls.clear}>
          Clear filters
        </Button>
      )}
      <span className="ml-auto text-fg-3">{countWithNoun(all, 'run')} in all</span>
    </div>
  );
}

function Applied({ name, onDrop }: { name: string; onDrop: () => void }) {
  return (
    <Button kind="on" onClick={onDrop} aria-label={`Remove filter: ${name}`}>
      {name} <X size={13} aria-hidden />
    </Button>
  );
}
