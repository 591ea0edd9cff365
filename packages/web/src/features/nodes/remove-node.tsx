import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../live/call.ts';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { useActingAs } from '../shared/acting-as.tsx';
import { RefusalNotice } from '../shared/refusal-notice.tsx';
import { useAction } from '../shared/use-action.ts';
import { bodyOfNode, type Written } from './node-draft.ts';
import { refreshNode } from './refresh-node.ts';

/** The first try does not force; only a refusal that names the consequences offers to force. It can be undone for a while. */
export function RemoveNode({
  node,
  written,
  onDone,
}: {
  node: NodeView;
  written: Written | undefined;
  onDone: () => void;
}) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [asked, setAsked] = useState(false);
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
        onClick={asked ? remove : () => setAsked(true)}
        className="w-fit"
      >
        {force ? 'Remove anyway' : asked ? 'Really remove' : 'Remove'}
      </Button>
      <RefusalNotice problem={problem} />
    </div>
  );
}

/** The node with its dependencies, and those that waited for it. A claim that was lost with it is not taken again. */
async function addAgain(node: NodeView, written: Written | undefined, by: string | undefined): Promise<void> {
  await call('add_node', { plan: node.plan, id: node.id, by, ...bodyOfNode(node, written) });
  for (const ref of node.dependents) {
    const [plan = '', id = ''] = ref.split('/');
    await call('add_dependency', { plan, node: id, dependsOn: node.ref, by });
  }
  await refreshNode(node.plan);
}
