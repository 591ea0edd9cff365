import { ListTodo, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import type { PlanStatus, PlanView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { EmptyState } from '../../ui/page.tsx';
import { SplitView } from '../../ui/split-view.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { Inspector } from '../nodes/inspector.tsx';
import { NodeDialogs } from '../nodes/node-dialogs.tsx';
import { QueryResult } from '../shared/query-result.tsx';
import { useCriticalPath } from './graph/use-critical-path.ts';
import { NodesTable } from './nodes-table.tsx';
import { PlanHeader, type PlanTab } from './plan-header.tsx';
import { PlanHistory } from './plan-history.tsx';
import { usePlan, usePlanStatus } from './plan-queries.ts';
import { RecentEvents } from './recent-events.tsx';
import { SubmittedLane } from './submitted-lane.tsx';
import { TimeBar } from './time/time-bar.tsx';
import { usePastPlan } from './time/use-past-plan.ts';

const PlanGraph = lazyComponent(async () => (await import('./graph/plan-graph.tsx')).PlanGraph);
// Loaded while the plan is read, so that neither waits for the other.
PlanGraph.preload();

const groupings = ['none', 'label', 'repository'] as const;

export function PlanPage({ slug }: { slug: string }) {
  const plan = usePlan(slug);
  const status = usePlanStatus(slug);
  useBreadcrumbs({ label: 'Plans', href: paths.plans }, { label: plan.data?.title ?? slug });
  return (
    <QueryResult query={plan} actions={<ButtonLink href={paths.plans}>All plans</ButtonLink>}>
      {(view) => <QueryResult query={status}>{(now) => <LoadedPlan plan={view} status={now} />}</QueryResult>}
    </QueryResult>
  );
}

/** A folded group or a node of another plan can be chosen in the graph but has no panel. */
const isNodeId = (text: string | null): text is string => text !== null && !/[#/]/.test(text);

function NoNode({ id, past, onClose }: { id: string; past: boolean; onClose: () => void }) {
  return (
    <EmptyState icon={SearchX} title={past ? 'Not there at that time' : 'No such node'}>
      <p className="break-words">
        This plan has no node <b>{id}</b>
        {past ? ' at this moment.' : '. It may have been removed: see the history.'}
      </p>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </EmptyState>
  );
}

function LoadedPlan({ plan, status }: { plan: PlanView; status: PlanStatus }) {
  const [view, setView] = useSearchParam('view');
  const [selected, select] = useSearchParam('node');
  const now: PlanTab = view === 'history' || view === 'table' ? view : 'graph';
  const show = (to: PlanTab) => setView(to === 'graph' ? null : to);
  const { past, open: openPast } = usePastPlan(plan.slug);
  const nodes = past?.nodes ?? status.nodes;
  const node = nodes.find(({ id }) => id.toLowerCase() === selected?.toLowerCase());
  const byRef = useMemo(() => new Map(nodes.map((one) => [one.ref.toLowerCase(), one])), [nodes]);
  const path = useCriticalPath(nodes);
  useKeys({ v: () => show('graph'), t: () => show('table'), h: () => show('history') });
  return (
    <NodeDialogs>
      <PlanHeader
        plan={plan}
        counts={status.counts}
        nodes={nodes}
        view={now}
        onView={show}
        steps={past ? 0 : path.length}
        past={past !== null}
      />
      {now === 'history' ? (
        <PlanHistory slug={plan.slug} />
      ) : nodes.length === 0 && !past ? (
        <EmptyState icon={ListTodo} title="No nodes yet">
          <p>Add the first node above, paste a list of titles, or edit the whole plan as a document.</p>
        </EmptyState>
      ) : (
        <SplitView
          label={`Node ${node?.title ?? selected ?? ''}`}
          onClose={() => select(null)}
          aside={
            node ? (
              <Inspector
                key={node.ref}
                node={node}
                onClose={() => select(null)}
                archived={plan.archived}
                past={past !== null}
                other={(ref) => byRef.get(ref.toLowerCase())}
                path={path}
                recent={!past && <RecentEvents slug={plan.slug} node={node.id} />}
              />
            ) : (
              isNodeId(selected) && <NoNode id={selected} past={past !== null} onClose={() => select(null)} />
            )
          }
        >
          {!past && <SubmittedLane nodes={nodes} selected={selected} onSelect={select} />}
          {now === 'graph' ? (
            <PlanGraph
              nodes={nodes}
              path={path}
              groupings={groupings}
              onTime={past ? undefined : openPast}
              editable={!past && !plan.archived}
            />
          ) : (
            <NodesTable nodes={nodes} />
          )}
          {past && <TimeBar past={past} />}
        </SplitView>
      )}
    </NodeDialogs>
  );
}
