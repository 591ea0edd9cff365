import { useLocation } from 'wouter';
import { ask, at } from '../../live/ask.ts';
import { client } from '../../live/client.ts';
import { Confirm } from '../../live/confirm.tsx';
import { MeField, useMe } from '../../live/me.tsx';
import { useAct } from '../../live/use-act.ts';
import type { PlanView } from '../../live/wire.ts';
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
      const [few, on] =
        dependents.length === 1
          ? ['1 node of another plan', 'depends']
          : [`${dependents.length} nodes of other plans`, 'depend'];
      const waiting = dependents.length > 0 ? `; ${few} ${on} on it` : '';
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
        <Confirm busy={busy} problem={problem} label="Archive" onClose={onClose} onConfirm={archive} />
      </div>
    </Dialog>
  );
}
