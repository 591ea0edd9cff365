import { type FormEvent, useState } from 'react';
import { call } from '../../live/call.ts';
import { faultAt } from '../../live/problem.ts';
import type { Claimed, ClaimLost, NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { formatDateTime } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';
import { refreshNode } from './refresh-node.ts';

type Props = {
  /** If omitted, the best ready node is claimed. */
  node?: NodeView;
  /** Limits the search for the best ready node to this plan, repository or label. */
  within?: { plan?: string; repository?: string; label?: string };
  onClose: () => void;
  onClaimed?: (node: Pick<NodeView, 'id' | 'ref'>) => void;
};

export function ClaimDialog({ node, within = {}, onClose, onClaimed }: Props) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const [lease, setLease] = useState('30');
  const [session, setSession] = useState('');
  const [won, setWon] = useState<Claimed | null>(null);
  const [lost, setLost] = useState<ClaimLost | null>(null);
  const [nothing, setNothing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      const claim = { agent: me, leaseMinutes: Number(lease), ...(session ? { session } : {}) };
      const answer = node
        ? await call('claim_node', { ...claim, plan: node.plan, node: node.id })
        : await call('claim_next', { ...claim, ...within });
      setLost(!answer.claimed && 'heldBy' in answer ? answer : null);
      setNothing(!answer.claimed && 'reason' in answer);
      if (!answer.claimed) return;
      await refreshNode(answer.node.plan);
      showToast(`You hold ${answer.node.title} until ${formatDateTime(answer.expiresAt)}`);
      onClaimed?.(answer.node);
      if (answer.readyWarning) setWon(answer);
      else onClose();
    });
  };
  if (won) return <ClaimedEarly won={won} onClose={onClose} />;
  return (
    <Dialog title={node ? `Claim ${node.title}` : 'Claim next ready'} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <ActingAsField required fault={faultAt(problem, 'agent')} />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Lease, minutes"
            type="number"
            min={1}
            max={1440}
            required
            value={lease}
            fault={faultAt(problem, 'leaseMinutes')}
            onChange={(event) => setLease(event.target.value)}
          />
          <TextField
            label="Session"
            placeholder="optional"
            hint="An agent session id makes the link strong."
            value={session}
            fault={faultAt(problem, 'session')}
            onChange={(event) => setSession(event.target.value)}
          />
        </div>
        {nothing && (
          <Notice tone="blocked">
            No bound node is ready now. A node without a binding is never chosen this way: claim it by hand, or bind it
            first.
          </Notice>
        )}
        {lost && <HeldNotice {...lost} />}
        <DialogFooter {...{ busy, problem, onClose }} label="Claim" />
      </form>
    </Dialog>
  );
}

/** Shown when somebody else was faster. */
function HeldNotice({ heldBy, heldUntil }: ClaimLost) {
  return (
    <Notice tone="warn" role="alert" title={`${heldBy} holds this node.`}>
      The lease lasts until {formatDateTime(heldUntil)}. Only its holder can release it. Choose another node.
    </Notice>
  );
}

/** A claim on a node that is not ready is valid; this shows what the node waits for. */
function ClaimedEarly({ won, onClose }: { won: Claimed; onClose: () => void }) {
  return (
    <Dialog title="Claimed, but not ready" onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <Notice tone="warn" role="alert" title={won.readyWarning?.message ?? ''}>
          {won.readyWarning && won.readyWarning.waitingFor.length > 0 && (
            <ul className="mt-1 list-disc pl-4 font-mono text-code">
              {won.readyWarning.waitingFor.map((ref) => (
                <li key={ref}>{ref}</li>
              ))}
            </ul>
          )}
        </Notice>
        <div className="flex justify-end">
          <Button kind="primary" onClick={onClose}>
            Understood
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
