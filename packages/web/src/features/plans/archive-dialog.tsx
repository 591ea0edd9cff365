import { useLocation } from 'wouter';
import { ask, at } from '../../live/ask.ts';
import { client } from '../../live/client.ts';
import { MeField, useMe } from '../../live/me.tsx';
import { Refusal } from '../../live/refusal.tsx';
import { useAct } from '../../live/use-act.ts';
import type { PlanView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { say } from '../../ui/toasts.tsx';

export function ArchiveDialog({ plan, onClose }: { plan: PlanView; onClose: () => void }) {
  const me = useMe();
  const [, go] = useLocation();
  const { act, busy, problem } = useAct();
  const archive = () =>
    act(async () => {
      const { dependents } = await ask<{ dependents: string[] }>('DELETE', at`/api/plans/${plan.slug}`, {
        query: { by: me },
      });
      await client.invalidateQueries();
      const waiting = dependents.length > 0 ? `; ${dependents.length} nodes of other plans depend on it` : '';
      say(`${plan.title} is archived${waiting}`);
      go('/plans');
    });
  return (
    <Dialog title={`Archive ${plan.title}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          It takes no new claims and leaves the lists. Nothing is lost: its history stays, and importing its document
          brings it back.
        </p>
        <MeField />
        <Refusal problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={busy} onClick={archive}>
            Archive
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
