import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt } from '../../live/problem.ts';
import type { NodeView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { refreshNode } from './refresh-node.ts';

/** A person confirms that a node is done, or revokes that. */
export function SignOffDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [note, setNote] = useState('');
  const revoke = node.evidence?.state === 'signed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await call('sign_off_node', {
        plan: node.plan,
        node: node.id,
        by: me || undefined,
        ...(note ? { note } : {}),
        ...(revoke ? { revoke: true } : {}),
      });
      await refreshNode(node.plan);
      showToast(revoke ? 'Sign-off revoked' : `${node.title} signed off`);
      onClose();
    });
  };
  return (
    <Dialog title={revoke ? `Revoke the sign-off of ${node.title}` : `Sign off ${node.title}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        {node.binding?.kind === 'signOff' && node.binding.who && (
          <p className="text-fg-2">
            This node waits for <b>{node.binding.who}</b>.
          </p>
        )}
        <ActingAsField required />
        <TextArea
          label="Note"
          rows={3}
          value={note}
          fault={faultAt(problem, 'note')}
          onChange={(event) => setNote(event.target.value)}
        />
        <DialogFooter {...{ busy, problem, onClose }} label={revoke ? 'Revoke' : 'Sign off'} />
      </form>
    </Dialog>
  );
}
