import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt } from '../../live/problem.ts';
import type { NodeView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { refreshNode } from './refresh-node.ts';

/** Leaves a note for the next holder, and renews the lease. */
export function ReportDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [note, setNote] = useState(node.claim?.note ?? '');
  const [lease, setLease] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await call('report_node', {
        plan: node.plan,
        node: node.id,
        agent: me,
        note,
        ...(lease ? { leaseMinutes: Number(lease) } : {}),
        ...(node.claim ? { fence: node.claim.fence } : {}),
      });
      await refreshNode(node.plan);
      showToast('Reported; the lease is renewed');
      onClose();
    });
  };
  return (
    <Dialog title={`Report on ${node.title}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <TextArea
          label="Note"
          rows={5}
          autoFocus
          hint="What is done and what comes next. The next holder sees it."
          value={note}
          fault={faultAt(problem, 'note')}
          onChange={(event) => setNote(event.target.value)}
        />
        <TextField
          label="Lease, minutes"
          type="number"
          min={1}
          max={1440}
          placeholder="as long as before"
          value={lease}
          fault={faultAt(problem, 'leaseMinutes')}
          onChange={(event) => setLease(event.target.value)}
        />
        <DialogFooter {...{ busy, problem, onClose }} label="Report" />
      </form>
    </Dialog>
  );
}
