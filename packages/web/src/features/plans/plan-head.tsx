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
import { useState } from 'react';
import { ask, at } from '../../live/ask.ts';
import { Refusal } from '../../live/refusal.tsx';
import { useAct } from '../../live/use-act.ts';
import type { NodeView, PlanView } from '../../live/wire.ts';
import { ClaimDialog } from '../../node/claim-dialog.tsx';
import { EditDialog } from '../../node/edit-dialog.tsx';
import { countLooks } from '../../node/look.ts';
import { StateBar } from '../../ui/bar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { many } from '../../ui/count.ts';
import { Chip, PageHead } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { StateChip } from '../../ui/tone.tsx';
import { ArchiveDialog } from './archive-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PlanDialog } from './plan-dialog.tsx';

export type View = 'graph' | 'table' | 'history';
type Open = 'claim' | 'add' | 'edit' | 'document' | 'archive' | null;

/** What the plan is, how far it is, and what can be done with it. */
export function PlanHead({
  plan,
  nodes,
  view,
  steps,
  onView,
}: {
  plan: PlanView;
  /** As they are shown below: now, or as they were. */
  nodes: readonly NodeView[];
  view: View;
  /** On the critical path. */
  steps: number;
  onView: (view: View) => void;
}) {
  const [open, setOpen] = useState<Open>(null);
  const [document, setDocument] = useState('');
  const [, select] = useParam('node');
  const close = () => setOpen(null);
  const { act, busy, problem } = useAct();
  const editDocument = () =>
    act(async () => {
      setDocument(await ask<string>('GET', at`/api/plans/${plan.slug}/document`));
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
  const parts = countLooks(nodes);
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
            <IconButton icon={FileCode2} label="Edit as a document" disabled={busy} onClick={editDocument} />
            {!plan.archived && (
              <IconButton icon={Archive} label="Archive the plan" onClick={() => setOpen('archive')} />
            )}
          </span>
        </>
      }
      actions={actions}
    >
      <Refusal problem={problem} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="w-[300px] max-w-full">
          <StateBar parts={parts} total={nodes.length} />
        </span>
        {parts.map(({ look, count }) => (
          <StateChip key={look.label} look={look} count={count} />
        ))}
        <span className="ml-auto text-fg-3">
          {many(nodes.length, 'node')}
          {steps > 0 && `, ${many(steps, 'step')} on the critical path`}
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
