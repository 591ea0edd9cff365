import {
  Archive,
  ArchiveRestore,
  ClipboardList,
  FileCode2,
  GitBranch,
  History as HistoryIcon,
  ListTodo,
  Pencil,
  Plus,
  Workflow,
  Zap,
} from 'lucide-react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import type { Counts, NodeView, PlanView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateChip } from '../../ui/appearance.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { Chip, PageHeader } from '../../ui/page.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { ClaimDialog } from '../nodes/claim-dialog.tsx';
import { EditDialog } from '../nodes/edit-dialog.tsx';
import { countByAppearance } from '../nodes/node-appearance.ts';
import { useActingAs } from '../shared/acting-as.tsx';
import { useMay } from '../shared/me.ts';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { Forecast } from './forecast.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PasteNodesDialog } from './paste-nodes-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';

export type PlanTab = 'graph' | 'table' | 'history';
type OpenDialog = 'claim' | 'add' | 'paste' | 'edit' | 'document' | 'archive' | null;

/** The plan, its progress, and the actions on it. */
export function PlanHeader({
  plan,
  counts,
  nodes,
  view,
  steps,
  past,
  onView,
}: {
  plan: PlanView;
  counts: Counts;
  /** The nodes shown below: current or past. */
  nodes: readonly NodeView[];
  view: PlanTab;
  /** How many steps the critical path has. */
  steps: number;
  /** Whether a past state is shown, in which nothing can be done. */
  past: boolean;
  onView: (view: PlanTab) => void;
}) {
  const [open, setOpen] = useState<OpenDialog>(null);
  const [document, setDocument] = useState('');
  const [, select] = useSearchParam('node');
  /** Closes this dialog, but not one that was opened from the palette while the answer was awaited. */
  const closing = (one: OpenDialog) => () => setOpen((current) => (current === one ? null : current));
  const { act, busy, problem } = useAction();
  const editDocument = () =>
    act(async () => {
      setDocument(await call('plan_document', { plan: plan.slug }));
      setOpen('document');
    });
  const me = useActingAs();
  /** An empty document changes nothing except that the plan is active again. */
  const restore = () =>
    act(async () => {
      await call('import_plan', { plan: plan.slug, document: {}, mode: 'seed', by: me || undefined });
      await queryClient.invalidateQueries();
      showToast(`${plan.title} is restored`);
    });
  const mayWork = useMay('work');
  const mayAuthor = useMay('author');
  const canChange = !plan.archived && !past;
  const canRestore = plan.archived && !past;
  const noneReady = { disabled: true, title: 'No node of this plan is ready.' } as const;
  const mayClaim = mayWork.disabled || counts.ready > 0 ? mayWork : noneReady;
  usePageActions([
    { label: 'Show as graph', icon: Workflow, run: () => onView('graph') },
    { label: 'Show as table', icon: ListTodo, run: () => onView('table') },
    { label: 'Show history', icon: HistoryIcon, run: () => onView('history') },
    canChange && !mayClaim.disabled && { label: 'Claim next ready', icon: Zap, run: () => setOpen('claim') },
    canChange && !mayAuthor.disabled && { label: 'Add node', icon: Plus, run: () => setOpen('add') },
    canChange &&
      !mayAuthor.disabled && { label: 'Paste a list of nodes', icon: ClipboardList, run: () => setOpen('paste') },
    canChange && !mayAuthor.disabled && { label: 'Edit the plan', icon: Pencil, run: () => setOpen('edit') },
    !past && !mayAuthor.disabled && { label: 'Edit as a document', icon: FileCode2, run: () => void editDocument() },
    canChange && !mayAuthor.disabled && { label: 'Archive the plan', icon: Archive, run: () => setOpen('archive') },
    canRestore && !mayAuthor.disabled && { label: 'Restore the plan', icon: ArchiveRestore, run: () => void restore() },
  ]);
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
      {canRestore && (
        <Button kind="primary" icon={ArchiveRestore} disabled={busy} {...mayAuthor} onClick={restore}>
          Restore
        </Button>
      )}
      {canChange && (
        <>
          <Button icon={Plus} {...mayAuthor} onClick={() => setOpen('add')}>
            Add node
          </Button>
          <Button icon={ClipboardList} {...mayAuthor} onClick={() => setOpen('paste')}>
            Paste a list
          </Button>
          <Button kind="primary" icon={Zap} {...mayClaim} onClick={() => setOpen('claim')}>
            Claim next ready
          </Button>
        </>
      )}
    </>
  );
  const parts = countByAppearance(nodes);
  return (
    <PageHeader
      title={plan.title}
      besideTitle={
        <>
          <span className="font-mono text-fg-3 text-sm">{plan.slug}</span>
          {plan.repository && <Chip icon={GitBranch}>{plan.repository}</Chip>}
          {plan.archived && <Chip icon={Archive}>archived</Chip>}
          <span className="flex">
            {canChange && (
              <IconButton icon={Pencil} label="Edit the plan" {...mayAuthor} onClick={() => setOpen('edit')} />
            )}
            {!past && (
              <IconButton
                icon={FileCode2}
                label="Edit as a document"
                disabled={busy}
                {...mayAuthor}
                onClick={editDocument}
              />
            )}
            {canChange && (
              <IconButton icon={Archive} label="Archive the plan" {...mayAuthor} onClick={() => setOpen('archive')} />
            )}
          </span>
        </>
      }
      actions={actions}
    >
      <RefusalNotice problem={problem} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="w-[300px] max-w-full">
          <StateBar parts={parts} total={nodes.length} />
        </span>
        {parts.map(({ appearance, count }) => (
          <StateChip
            key={appearance.label}
            appearance={appearance}
            count={count}
            {...(past ? {} : { href: paths.planNodes(plan.slug, appearance.label.toLowerCase()) })}
          />
        ))}
        <span className="ml-auto text-fg-3">
          {countWithNoun(nodes.length, 'node')}
          {steps > 0 && `, ${countWithNoun(steps, 'step')} on the critical path`}
        </span>
      </div>
      {canChange && <Forecast slug={plan.slug} counts={counts} />}
      {open === 'claim' && (
        <ClaimDialog within={{ plan: plan.slug }} onClose={closing('claim')} onClaimed={(node) => select(node.id)} />
      )}
      {open === 'add' && <EditDialog plan={plan.slug} repository={plan.repository} onClose={closing('add')} />}
      {open === 'paste' && <PasteNodesDialog plan={plan} nodes={nodes} onClose={closing('paste')} />}
      {open === 'edit' && <PlanDialog plan={plan} onClose={closing('edit')} onDone={closing('edit')} />}
      {open === 'document' && (
        <ImportDialog slug={plan.slug} document={document} onClose={closing('document')} onDone={closing('document')} />
      )}
      {open === 'archive' && <ArchiveDialog plan={plan} onClose={closing('archive')} />}
    </PageHeader>
  );
}
