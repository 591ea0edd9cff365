import { Activity, Eraser } from 'lucide-react';
import { useState } from 'react';
import type { RunSummary } from '../../live/wire.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { EmptyState, PageBody, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { useMay } from '../shared/me.ts';
import { useCommands } from '../shared/pasted-commands.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { EjectManyDialog } from './eject-dialog.tsx';
import { useRuns } from './run-queries.ts';
import { RunRow } from './run-row.tsx';

type Which = 'all' | 'live' | 'failed';

export function RunsPage() {
  useBreadcrumbs({ label: 'Runs' });
  const [ejecting, setEjecting] = useState(false);
  const runs = useRuns();
  const mayEject = useMay('admin');
  return (
    <QueryResult query={runs}>
      {(list) => (
        <>
          <PageHeader
            title="Runs"
            description="Test runs as they happen. Every publisher on this host that finds the console shows up here."
            actions={
              list.length > 0 && (
                <Button icon={Eraser} {...mayEject} onClick={() => setEjecting(true)}>
                  Eject old runs
                </Button>
              )
            }
          />
          <PageBody>{list.length === 0 ? <NoRuns /> : <List runs={list} />}</PageBody>
          {ejecting && <EjectManyDialog runs={list} onClose={() => setEjecting(false)} />}
        </>
      )}
    </QueryResult>
  );
}

function List({ runs }: { runs: readonly RunSummary[] }) {
  const [text, setText] = useState('');
  const [tag, setTag] = useSearchParam('tag');
  const [whichText, setWhich] = useSearchParam('which');
  const which: Which = whichText === 'live' || whichText === 'failed' ? whichText : 'all';
  const [most, setMost] = useState(100);
  const list = useListKeys<HTMLUListElement>();
  const several = new Set(runs.map(({ host }) => host)).size > 1;
  const wanted = text.toLowerCase();
  const shown = runs
    .filter((run) => (which === 'live' ? run.state === 'running' : which === 'failed' ? run.failed > 0 : true))
    .filter((run) => (tag ? run.tag === tag : true))
    .filter((run) =>
      `${run.suite} ${run.tag ?? ''} ${run.branch ?? ''} ${run.repository} ${run.repositoryName ?? ''} ${run.runId}`
        .toLowerCase()
        .includes(wanted),
    );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Filter value={text} onChange={setText} label="Filter by suite, tag, branch" />
        <Segmented
          label="Which runs"
          value={which}
          onChange={(to) => setWhich(to === 'all' ? null : to)}
          choices={[
            { value: 'all', label: 'All' },
            { value: 'live', label: 'Live' },
            { value: 'failed', label: 'With failures' },
          ]}
        />
        {tag && (
          <Button kind="on" onClick={() => setTag(null)}>
            tag {tag} ×
          </Button>
        )}
        <span className="ml-auto text-fg-3">{countWithNoun(shown.length, 'run')}</span>
      </div>
      <ul ref={list} className="flex flex-col gap-2">
        {shown.slice(0, most).map((run) => (
          <li key={run.runId} className="flex flex-col">
            <RunRow run={run} host={several ? run.host : null} />
          </li>
        ))}
      </ul>
      {shown.length > most && (
        <div className="mt-3 text-center">
          <Button onClick={() => setMost(most + 200)}>Show more of {shown.length}</Button>
        </div>
      )}
      {shown.length === 0 && <p className="py-8 text-center text-fg-3">No run fits the filter.</p>}
    </>
  );
}

function NoRuns() {
  return (
    <EmptyState icon={Activity} title="No test run yet">
      <p>
        Start your tests through Signalbox, or add the reporter to your test framework. Nothing slows down when it is
        away.
      </p>
      <div className="flex flex-col gap-3 text-left">
        <TeachingCommand title="Any framework: put this before your test command" text={useCommands().run} />
        <div className="flex flex-col gap-1.5">
          <h3 className="eyebrow">Or add the reporter for good</h3>
          <Command text="npm i -D signalbox-publisher" />
        </div>
      </div>
    </EmptyState>
  );
}
