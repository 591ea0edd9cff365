import { type FormEvent, useState } from 'react';
import { ask, at } from '../live/ask.ts';
import { Confirm } from '../live/confirm.tsx';
import { MeField, useMe } from '../live/me.tsx';
import { faultAt } from '../live/problem.ts';
import { useAct } from '../live/use-act.ts';
import type { NodeView } from '../live/wire.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/field.tsx';
import { say } from '../ui/toasts.tsx';
import { nodeChanged } from './changed.ts';

/** A person says that a node is done, or takes that back. */
export function SignOffDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useMe();
  const { act, busy, problem } = useAct();
  const [note, setNote] = useState('');
  const revoke = node.evidence?.state === 'signed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await ask('POST', at`/api/plans/${node.plan}/nodes/${node.id}/sign-off`, {
        query: { by: me },
        body: { ...(note ? { note } : {}), ...(revoke ? { revoke: true } : {}) },
      });
      await nodeChanged(node.plan);
      say(revoke ? 'The sign-off is taken back' : `${node.title} is signed off`);
      onClose();
    });
  };
  return (
    <Dialog title={revoke ? `Take back the sign-off of ${node.title}` : `Sign off ${node.title}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        {node.binding?.kind === 'signOff' && node.binding.who && (
          <p className="text-fg-2">
            This node waits for <b>{node.binding.who}</b>.
          </p>
        )}
        <MeField required />
        <TextArea
          label="Note"
          rows={3}
          value={note}
          fault={faultAt(problem, 'note')}
          onChange={(event) => setNote(event.target.value)}
        />
        <Confirm {...{ busy, problem, onClose }} label={revoke ? 'Take back' : 'Sign off'} disabled={me === ''} />
      </form>
    </Dialog>
  );
}
