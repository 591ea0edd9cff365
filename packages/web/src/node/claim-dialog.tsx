import { type FormEvent, useState } from 'react';
import { ask, at } from '../live/ask.ts';
import { Confirm } from '../live/confirm.tsx';
import { MeField, useMe } from '../live/me.tsx';
import { faultAt } from '../live/problem.ts';
import { useAct } from '../live/use-act.ts';
import type { Claimed, ClaimNext, NodeView } from '../live/wire.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { when } from '../ui/time.tsx';
import { say } from '../ui/toasts.tsx';
import { nodeChanged } from './changed.ts';

type Props = {
  /** Left out: the best ready node is taken. */
  node?: NodeView;
  /** Where the best one is looked for. */
  within?: { plan?: string; repository?: string; label?: string };
  onClose: () => void;
  onClaimed?: (node: NodeView) => void;
};

export function ClaimDialog({ node, within = {}, onClose, onClaimed }: Props) {
  const me = useMe();
  const { act, busy, problem } = useAct();
  const [lease, setLease] = useState('30');
  const [session, setSession] = useState('');
  const [won, setWon] = useState<Claimed | null>(null);
  const [nothing, setNothing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path = node ? at`/api/plans/${node.plan}/nodes/${node.id}/claim` : '/api/plans/ready/claim';
    void act(async () => {
      const body = { agent: me, leaseMinutes: Number(lease), ...(session ? { session } : {}), ...(node ? {} : within) };
      const answer = await ask<ClaimNext>('POST', path, { body });
      setNothing(!answer.claimed);
      if (!answer.claimed) return;
      await nodeChanged(answer.node.plan);
      say(`${answer.node.title} is yours until ${when(answer.expiresAt)}`);
      onClaimed?.(answer.node);
      if (answer.readyWarning) setWon(answer);
      else onClose();
    });
  };
  if (won) return <ClaimedEarly won={won} onClose={onClose} />;
  return (
    <Dialog title={node ? `Claim ${node.title}` : 'Claim the next ready node'} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3.5">
        <MeField required fault={faultAt(problem, 'agent')} />
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
            Nothing that can be proven done is ready and unclaimed right now. A node that nothing proves is never taken
            this way: choose it yourself, or bind it first.
          </Notice>
        )}
        <Confirm {...{ busy, problem, onClose }} label="Claim" disabled={me === ''} />
      </form>
    </Dialog>
  );
}

/** A claim on a node that is not ready stands; what it waits for is said. */
function ClaimedEarly({ won, onClose }: { won: Claimed; onClose: () => void }) {
  return (
    <Dialog title="Claimed, but not ready" onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <Notice tone="warn" role="alert" title={won.readyWarning?.message ?? ''}>
          {won.readyWarning && won.readyWarning.waitingFor.length > 0 && (
            <ul className="mt-1 list-disc pl-4 font-mono text-[11.5px]">
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
