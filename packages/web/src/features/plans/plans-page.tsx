import { FileUp, ListTodo, Plus, Workflow, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PlanSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { Filter } from '../../ui/filter.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { PageBody, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { useBoard } from '../agents/agent-queries.ts';
import { NodeDialogs } from '../nodes/node-dialogs.tsx';
import { useMay } from '../shared/me.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { AllPlansGraph } from './all-plans-graph.tsx';
import { type Attention, attentionByPlan, byAttention, noAttention } from './attention.ts';
import { BurnUpChart, useBurnUp } from './burn-up-chart.tsx';
import { FirstSteps } from './first-steps.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { useArchivedPlans, usePlans } from './plan-queries.ts';
import { PlanRow } from './plan-row.tsx';

export function PlansPage() {
  useBreadcrumbs({ label: 'Plans' });
  const [doing, setDoing] = useSearchParam('do');
  const open = doing === 'new' ? 'create' : doing === 'import' ? 'import' : null;
  const setOpen = (to: 'create' | 'import' | null) => setDoing(to === 'create' ? 'new' : to);
  const [, go] = useLocation();
  const plans = usePlans();
  const mayAuthor = useMay('author');
  const attention = attentionByPlan(useBoard().data);
  const [view, setView] = useSearchParam('view');
  const actions = (
    <>
      <Button icon={FileUp} {...mayAuthor} onClick={() => setOpen('import')}>
        Import
      </Button>
      <Button kind="primary" icon={Plus} {...mayAuthor} onClick={() => setOpen('create')}>
        New plan
      </Button>
    </>
  );
  const done = (slug: string) => {
    setOpen(null);
    go(paths.plan(slug));
  };
  return (
    <>
      <QueryResult query={plans}>
        {(list) => (
          <>
            <PageHeader
              title="Plans"
              description="Work, its dependencies and its evidence. Plans that need attention come first."
              actions={
                list.length > 0 && (
                  <>
                    <Segmented
                      label="View"
                      value={view === 'graph' ? 'graph' : 'list'}
                      onChange={(to) => setView(to === 'graph' ? to : null)}
                      choices={[
                        { value: 'list', label: 'List', icon: ListTodo },
                        { value: 'graph', label: 'Graph', icon: Workflow },
                      ]}
                    />
                    {actions}
                  </>
                )
              }
            >
              {list.length > 0 && <Figures plans={list} attention={attention} />}
            </PageHeader>
            {view === 'graph' && list.length > 0 ? (
              <NodeDialogs>
                <AllPlansGraph plans={list} />
              </NodeDialogs>
            ) : (
              <PageBody>
                {list.length === 0 ? <FirstSteps>{actions}</FirstSteps> : <List plans={list} attention={attention} />}
                <Archived />
              </PageBody>
            )}
          </>
        )}
      </QueryResult>
      {open === 'create' && <PlanDialog onClose={() => setOpen(null)} onDone={done} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} onDone={done} />}
    </>
  );
}

type Props = { plans: readonly PlanSummary[]; attention: ReadonlyMap<string, Attention> };

function Figures({ plans, attention }: Props) {
  const sum = (of: (plan: PlanSummary) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  const nodes = sum((plan) => plan.nodes);
  const done = sum((plan) => plan.counts.done);
  const trouble = [...attention.values()];
  const orphaned = trouble.reduce((total, one) => total + one.orphaned, 0);
  const stalled = trouble.reduce((total, one) => total + one.stalled, 0);
  return (
    <Stats>
      <Stat
        appearance={appearances.done}
        count={done}
        label="done"
        detail={`of ${countWithNoun(nodes, 'node')} in ${countWithNoun(plans.length, 'plan')}`}
        href={paths.plansWithDone}
      />
      <Stat
        appearance={appearances.ready}
        count={sum((plan) => plan.counts.ready)}
        label="ready"
        detail="can be claimed now"
        href={paths.readyOnly}
      />
      <Stat
        appearance={appearances.claimed}
        count={sum((plan) => plan.claims)}
        label="claimed"
        detail="under a live lease"
        href={paths.claimed}
      />
      <Stat
        appearance={appearances.stalled}
        count={stalled}
        label="stalled"
        detail="the session is idle"
        href={paths.needs('claim_stalled')}
      />
      <Stat
        appearance={appearances.orphaned}
        count={orphaned}
        label="orphaned"
        detail="the session is gone"
        href={paths.needs('claim_orphaned')}
      />
      <Stat
        appearance={appearances.failed}
        count={sum((plan) => plan.counts.failed)}
        label="failed"
        detail="evidence failed"
        href={paths.needs('node_failed')}
      />
    </Stats>
  );
}

function List({ plans, attention }: Props) {
  const [text, setText] = useState('');
  const [state, setState] = useSearchParam('state');
  const burnUp = useBurnUp(plans);
  const list = useListKeys<HTMLUListElement>();
  const wanted = text.toLowerCase();
  const inState = byAttention(plans, attention).filter((plan) => state !== 'done' || plan.counts.done > 0);
  const shown = inState.filter((plan) =>
    `${plan.title} ${plan.slug} ${plan.repository ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <BurnUpChart {...burnUp} plans={plans.length} />
      {(plans.length > 6 || state) && (
        <div className="mb-3 flex gap-2">
          {plans.length > 6 && <Filter value={text} onChange={setText} label="Filter plans" />}
          {state === 'done' && (
            <Button kind="on" icon={X} onClick={() => setState(null)}>
              Only plans with done nodes
            </Button>
          )}
        </div>
      )}
      <ul ref={list} className="flex flex-col gap-2">
        {shown.map((plan) => (
          <li key={plan.slug} className="flex flex-col">
            <PlanRow
              plan={plan}
              attention={attention.get(plan.slug.toLowerCase()) ?? noAttention}
              levels={burnUp.levels.get(plan.slug) ?? []}
            />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="py-8 text-center text-fg-3">No plan has “{text}” in its name.</p>}
    </>
  );
}

/** Archived plans, hidden until they are opened. */
function Archived() {
  const [open, setOpen] = useState(false);
  const archived = useArchivedPlans(open).data;
  return (
    <details className="mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded py-1 text-fg-3 hover:text-fg">Archived plans</summary>
      <ul className="mt-2 flex flex-col gap-2">
        {archived?.map((plan) => (
          <li key={plan.slug} className="flex flex-col opacity-80">
            <PlanRow plan={plan} attention={noAttention} />
          </li>
        ))}
      </ul>
      {archived?.length === 0 && (
        <p className="mt-1 text-fg-3">No archived plans. An archived plan keeps its history.</p>
      )}
    </details>
  );
}
