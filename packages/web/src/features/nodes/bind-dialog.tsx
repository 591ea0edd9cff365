import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { bindingOf, draftOf, likelyBinding } from './binding-draft.ts';
import { BindingFields } from './binding-fields.tsx';
import { refreshNode } from './refresh-node.ts';

/** Chooses the evidence of a node; the likely binding is preselected. */
export function BindDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [draft, setDraft] = useState(node.binding ? draftOf(node.binding) : likelyBinding(node));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await call('bind_node', { plan: node.plan, node: node.id, by: me || undefined, binding: bindingOf(draft) });
      await refreshNode(node.plan);
      showToast(`${node.title}: binding saved`);
      onClose();
    });
  };
  return (
    <Dialog title={`Bind ${node.title}`} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <p className="text-fg-2">Choose what proves that this node is done.</p>
        <BindingFields draft={draft} onChange={setDraft} problem={problem} />
        <DialogFooter {...{ busy, problem, onClose }} label="Save binding" disabled={draft.kind === 'none'} />
      </form>
    </Dialog>
  );
}
