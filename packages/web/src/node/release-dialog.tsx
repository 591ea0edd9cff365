import { ask, at } from '../live/ask.ts';
import { Confirm } from '../live/confirm.tsx';
import { useMe } from '../live/me.tsx';
import { useAct } from '../live/use-act.ts';
import type { NodeView } from '../live/wire.ts';
import { Dialog } from '../ui/dialog.tsx';
import { say } from '../ui/toasts.tsx';
import { nodeChanged } from './changed.ts';

export function ReleaseDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const me = useMe();
  const { act, busy, problem } = useAct();
  const release = () =>
    act(async () => {
      const { released } = await ask<{ released: boolean }>(
        'POST',
        at`/api/plans/${node.plan}/nodes/${node.id}/release`,
        {
          body: { agent: me, ...(node.claim ? { fence: node.claim.fence } : {}) },
        },
      );
      await nodeChanged(node.plan);
      say(released ? `${node.title} is free again` : 'Nothing was held');
      onClose();
    });
  return (
    <Dialog title={`Release ${node.title}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          Your claim as <b>{me}</b> ends and the node can be taken by others. Releasing proves nothing: the node is done
          when its proof says so.
        </p>
        <Confirm busy={busy} problem={problem} label="Release my claim" onClose={onClose} onConfirm={release} />
      </div>
    </Dialog>
  );
}
