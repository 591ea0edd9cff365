import { type FormEvent, useState } from 'react';
import { ask, at } from '../live/ask.ts';
import { Confirm } from '../live/confirm.tsx';
import { useMe } from '../live/me.tsx';
import { faultAt } from '../live/problem.ts';
import { useAct } from '../live/use-act.ts';
import type { NodeView } from '../live/wire.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { say } from '../ui/toasts.tsx';
import { nodeChanged } from './changed.ts';

/** Leaves a note for whoever comes next, and renews the lease. */
export function ReportDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useMe();
  const { act, busy, problem } = useAct();
  const [note, setNote] = useState(node.claim?.note ?? '');
  const [lease, setLease] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await ask('POST', at`/api/plans/${node.plan}/nodes/${node.id}/report`, {
        body: {
          agent: me,
          note,
          ...(lease ? { leaseMinutes: Number(lease) } : {}),
          ...(node.claim ? { fence: node.claim.fence } : {}),
        },
      });
      await nodeChanged(node.plan);
      say('Reported; the lease is renewed');
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
          hint="What is done, what is next. It is handed to the next holder."
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
        <Confirm {...{ busy, problem, onClose }} label="Report" />
      </form>
    </Dialog>
  );
}
