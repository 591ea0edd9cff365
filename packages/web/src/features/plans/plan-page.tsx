import { ListTodo, SearchX } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { usePlan, usePlanStatus } from '../../live/queries.ts';
import { Shown } from '../../live/shown.tsx';
import type { PlanStatus, PlanView } from '../../live/wire.ts';
import { NodeDialogs } from '../../node/dialogs.tsx';
import { Inspector } from '../../node/inspector.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { chunk } from '../../ui/chunk.ts';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Empty, Waiting } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Split } from '../../ui/split.tsx';
import { useCriticalPath } from './graph/use-critical-path.ts';
import { History } from './history.tsx';
import { NodesTable } from './nodes-table.tsx';
import { PlanHead, type View } from './plan-head.tsx';
import { Recent } from './recent.tsx';
import { TimeBar } from './time/time-bar.tsx';
import { usePast } from './time/use-past.ts';

// Asked for while the plan itself is read, so that neither waits for the other.
const loadGraph = async () => (await import('./graph/plan-graph.tsx')).PlanGraph;
void loadGraph().catch(() => undefined);
const PlanGraph = chunk(loadGraph);

const groupings = ['none', 'label', 'repository'] as const;

export function PlanPage({ slug }: { slug: string }) {
  const plan = usePlan(slug);
  const status = usePlanStatus(slug);
  useCrumbs({ label: 'Plans', href: '/plans' }, { label: plan.data?.title ?? slug });
  return (
    <Shown of={plan} aside={<ButtonLink href="/plans">All plans</ButtonLink>}>
      {(view) => <Shown of={status}>{(now) => <Opened plan={view} status={now} />}</Shown>}
    </Shown>
  );
}

/** A folded group, or a node of another plan, is no id: it may be chosen in the graph, and has no panel. */
const isId = (text: string | null): text is string => text !== null && !/[#/]/.test(text);

function NoNode({ id, past, onClose }: { id: string; past: boolean; onClose: () => void }) {
  return (
    <Empty icon={SearchX} title={past ? 'Not there at that time' : 'No such node'}>
      <p className="break-words">
        This plan has no node <b>{id}</b>
        {past ? ' at this moment.' : '. It may have been removed; the history tells.'}
      </p>
      <div>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Empty>
  );
}

function Opened({ plan, status }: { plan: PlanView; status: PlanStatus }) {
  const [view, setView] = useParam('view');
  const [selected, select] = useParam('node');
  const now: View = view === 'history' || view === 'table' ? view : 'graph';
  const show = (to: View) => setView(to === 'graph' ? null : to);
  const { past, open: openPast } = usePast(plan.slug);
  const nodes = past?.nodes ?? status.nodes;
  const node = nodes.find(({ id }) => id.toLowerCase() === selected?.toLowerCase());
  const byRef = useMemo(() => new Map(nodes.map((one) => [one.ref.toLowerCase(), one])), [nodes]);
  const path = useCriticalPath(nodes);
  useKeys({ v: () => show('graph'), t: () => show('table'), h: () => show('history') });
  return (
    <NodeDialogs>
      <PlanHead plan={plan} nodes={nodes} view={now} onView={show} steps={past ? 0 : path.length} />
      {now === 'history' ? (
        <History slug={plan.slug} />
      ) : nodes.length === 0 && !past ? (
        <Empty icon={ListTodo} title="No nodes yet">
          <p>Add the first node above, or edit the whole plan as a document.</p>
        </Empty>
      ) : (
        <Split
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
                recent={!past && <Recent slug={plan.slug} node={node.id} />}
              />
            ) : (
              isId(selected) && <NoNode id={selected} past={past !== null} onClose={() => select(null)} />
            )
          }
        >
          {now === 'graph' ? (
            <Suspense fallback={<Waiting />}>
              <PlanGraph nodes={nodes} path={path} groupings={groupings} onTime={past ? undefined : openPast} />
            </Suspense>
          ) : (
            <NodesTable nodes={nodes} />
          )}
          {past && <TimeBar past={past} />}
        </Split>
      )}
    </NodeDialogs>
  );
}
