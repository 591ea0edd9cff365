import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { refreshNode } from './refresh-node.ts';

export function ReleaseDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const release = () =>
    act(async () => {
      const { released } = await call('release_node', {
        plan: node.plan,
        node: node.id,
        agent: me,
        ...(node.claim ? { fence: node.claim.fence } : {}),
      });
      await refreshNode(node.plan);
      showToast(released ? `${node.title} is free again` : 'Nothing was held');
      onClose();
    });
  return (
    <Dialog title={`Release ${node.title}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          Your claim as <b>{me}</b> ends and the node can be taken by others. Releasing proves nothing: the node is done
          once its evidence proves it.
        </p>
        <DialogFooter busy={busy} problem={problem} label="Release my claim" onClose={onClose} onConfirm={release} />
      </div>
    </Dialog>
  );
}
