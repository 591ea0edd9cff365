import {
  Archive,
  FileCode2,
  GitBranch,
  History as HistoryIcon,
  ListTodo,
  Pencil,
  Plus,
  Workflow,
  Zap,
} from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { ask, at } from '../../live/ask.ts';
import { usePlan, usePlanStatus } from '../../live/queries.ts';
import { Shown } from '../../live/shown.tsx';
import type { PlanStatus, PlanView } from '../../live/wire.ts';
import { ClaimDialog } from '../../node/claim-dialog.tsx';
import { EditDialog } from '../../node/edit-dialog.tsx';
import { Inspector } from '../../node/inspector.tsx';
import { countLooks } from '../../node/look.ts';
import { StateBar } from '../../ui/bar.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { chunk } from '../../ui/chunk.ts';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Chip, Empty, PageHead, Waiting } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { StateChip } from '../../ui/tone.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { criticalPath } from './graph/critical.ts';
import { History } from './history.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NodesTable } from './nodes-table.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { Recent } from './recent.tsx';

// Asked for while the plan itself is read, so that neither waits for the other.
const loadGraph = async () => (await import('./graph/plan-graph.tsx')).PlanGraph;
void loadGraph().catch(() => undefined);
const PlanGraph = chunk(loadGraph);

type View = 'graph' | 'table' | 'history';
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

function Opened({ plan, status }: { plan: PlanView; status: PlanStatus }) {
  const [view, setView] = useParam('view');
  const [selected, select] = useParam('node');
  const now: View = view === 'history' || view === 'table' ? view : 'graph';
  const show = (to: View) => setView(to === 'graph' ? null : to);
  const node = status.nodes.find(({ id }) => id.toLowerCase() === selected?.toLowerCase());
  const byRef = useMemo(() => new Map(status.nodes.map((one) => [one.ref.toLowerCase(), one])), [status.nodes]);
  const path = useCriticalPath(status.nodes);
  useKeys({ v: () => show('graph'), t: () => show('table'), h: () => show('history'), Escape: () => select(null) });
  return (
    <>
      <Head plan={plan} status={status} view={now} onView={show} steps={path.length} />
      {now === 'history' ? (
        <History slug={plan.slug} />
      ) : status.nodes.length === 0 ? (
        <Empty icon={ListTodo} title="No nodes yet">
          <p>Add the first node above, or edit the whole plan as a document.</p>
        </Empty>
      ) : (
        <div className="flex min-h-0 flex-1">
          {now === 'graph' ? (
            <Suspense fallback={<Waiting />}>
              <PlanGraph nodes={status.nodes} path={path} groupings={groupings} />
            </Suspense>
          ) : (
            <NodesTable status={status} />
          )}
          {node && (
            <aside
              aria-label={`Node ${node.title}`}
              className="w-[340px] shrink-0 overflow-y-auto border-line border-l bg-surface max-lg:w-[300px]"
            >
              <Inspector
                key={node.ref}
                node={node}
                archived={plan.archived}
                other={(ref) => byRef.get(ref.toLowerCase())}
                path={path}
                recent={<Recent slug={plan.slug} node={node.id} />}
              />
            </aside>
          )}
        </div>
      )}
    </>
  );
}

/** The same list as long as the way is the same. */
function useCriticalPath(nodes: PlanStatus['nodes']): readonly string[] {
  const text = useMemo(() => criticalPath(nodes).join(' '), [nodes]);
  return useMemo(() => (text === '' ? [] : text.split(' ')), [text]);
}

type Open = 'claim' | 'add' | 'edit' | 'document' | 'archive' | null;

function Head({
  plan,
  status,
  view,
  steps,
  onView,
}: {
  plan: PlanView;
  status: PlanStatus;
  view: View;
  /** On the critical path. */
  steps: number;
  onView: (view: View) => void;
}) {
  const [open, setOpen] = useState<Open>(null);
  const [document, setDocument] = useState('');
  const [, select] = useParam('node');
  const close = () => setOpen(null);
  const editDocument = () =>
    void ask<string>('GET', at`/api/plans/${plan.slug}/document`).then((text) => {
      setDocument(text);
      setOpen('document');
    });
  const actions = (
    <>
      <Segmented
        label="View"
        value={view}
        onChange={onView}
        choices={[
          { value: 'graph', label: 'Graph', icon: Workflow },
          { value: 'table', label: 'Table', icon: ListTodo },
          { value: 'history', label: 'History', icon: HistoryIcon },
        ]}
      />
      {!plan.archived && (
        <>
          <Button icon={Plus} onClick={() => setOpen('add')}>
            Add node
          </Button>
          <Button kind="primary" icon={Zap} onClick={() => setOpen('claim')}>
            Claim next ready
          </Button>
        </>
      )}
    </>
  );
  const parts = countLooks(status.nodes);
  return (
    <PageHead
      title={plan.title}
      after={
        <>
          <span className="font-mono text-fg-3 text-sm">{plan.slug}</span>
          {plan.repository && <Chip icon={GitBranch}>{plan.repository}</Chip>}
          {plan.archived && <Chip icon={Archive}>archived</Chip>}
          <span className="flex">
            {!plan.archived && <IconButton icon={Pencil} label="Edit the plan" onClick={() => setOpen('edit')} />}
            <IconButton icon={FileCode2} label="Edit as a document" onClick={editDocument} />
            {!plan.archived && (
              <IconButton icon={Archive} label="Archive the plan" onClick={() => setOpen('archive')} />
            )}
          </span>
        </>
      }
      actions={actions}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="w-[300px] max-w-full">
          <StateBar parts={parts} total={status.nodes.length} />
        </span>
        {parts.map(({ look, count }) => (
          <StateChip key={look.label} look={look} count={count} />
        ))}
        <span className="ml-auto text-fg-3">
          {status.nodes.length.toLocaleString('en')} nodes{steps > 0 && `, ${steps} steps on the critical path`}
        </span>
      </div>
      {open === 'claim' && (
        <ClaimDialog within={{ plan: plan.slug }} onClose={close} onClaimed={(node) => select(node.id)} />
      )}
      {open === 'add' && <EditDialog plan={plan.slug} onClose={close} />}
      {open === 'edit' && <PlanDialog plan={plan} onClose={close} onDone={close} />}
      {open === 'document' && <ImportDialog slug={plan.slug} document={document} onClose={close} onDone={close} />}
      {open === 'archive' && <ArchiveDialog plan={plan} onClose={close} />}
    </PageHead>
  );
}
