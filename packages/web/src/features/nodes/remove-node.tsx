import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { usePlan } from '../plans/plan-queries.ts';
import { useActingAs } from '../shared/acting-as.tsx';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';
import { bodyOfNode, type Written } from './node-draft.ts';
import { refreshNode } from './refresh-node.ts';

/** The first attempt does not force; only a refusal that names the consequences offers to force. The removal can be undone for a while. */
export function RemoveNode({
  node,
  written,
  onDone,
  isAsked = false,
}: {
  node: NodeView;
  written: Written | undefined;
  onDone: () => void;
  /** Whether somebody already asked for the removal. */
  isAsked?: boolean;
}) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [asked, setAsked] = useState(isAsked);
  const [, choose] = useSearchParam('node');
  const force = problem?.code === 'node_has_dependents' || problem?.code === 'node_claimed';
  const by = me || undefined;
  const remove = () =>
    act(async () => {
      await call('remove_node', { plan: node.plan, node: node.id, by, force: force || undefined });
      choose(null);
      await refreshNode(node.plan);
      showToast(`${node.title} removed`, () => addAgain(node, written, by));
      onDone();
    });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Button
        kind="danger"
        icon={Trash2}
        disabled={busy}
        data-first={asked || undefined}
        onClick={asked ? remove : () => setAsked(true)}
        className="w-fit"
      >
        {force ? 'Remove anyway' : asked && !isAsked ? 'Really remove' : 'Remove'}
      </Button>
      <RefusalNotice problem={problem} />
    </div>
  );
}

/** Opened from the palette or with Delete. */
export function RemoveDialog({ node, onClose }: { node: NodeView; onClose: () => void }) {
  const plan = usePlan(node.plan);
  if (plan.isPending) return null;
  return (
    <Dialog title={`Remove ${node.title}?`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">The history of the plan keeps it. Ctrl Z adds it again with its dependencies.</p>
        <RemoveNode node={node} written={plan.data?.nodes.find(({ id }) => id === node.id)} onDone={onClose} isAsked />
      </div>
    </Dialog>
  );
}

/** The node with its dependencies, and the nodes that waited for it. A claim that was lost with the node is not restored. */
async function addAgain(node: NodeView, written: Written | undefined, by: string | undefined): Promise<void> {
  await call('add_node', { plan: node.plan, id: node.id, by, ...bodyOfNode(node, written) });
  for (const ref of node.dependents) {
    const [plan = '', id = ''] = ref.split('/');
    await call('add_dependency', { plan, node: id, dependsOn: node.ref, by });
  }
  await refreshNode(node.plan);
}
