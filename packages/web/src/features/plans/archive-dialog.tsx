import { useLocation } from 'wouter';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import type { PlanView } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActingAsField, useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useAction } from '../shared/use-action.ts';

export function ArchiveDialog({ plan, onClose }: { plan: PlanView; onClose: () => void }) {
  const me = useActingAs();
  const [, go] = useLocation();
  const { act, busy, problem } = useAction();
  const archive = () =>
    act(async () => {
      const { dependents } = await call('archive_plan', { plan: plan.slug, by: me || undefined });
      await queryClient.invalidateQueries();
      const [nodes, depend] =
        dependents.length === 1
          ? ['1 node of another plan', 'depends']
          : [`${dependents.length} nodes of other plans`, 'depend'];
      const waiting = dependents.length > 0 ? `; ${nodes} ${depend} on it` : '';
      showToast(`${plan.title} is archived${waiting}`);
      go(paths.plans);
    });
  return (
    <Dialog title={`Archive ${plan.title}`} onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="text-fg-2">
          It takes no new claims and leaves the lists. Nothing is lost: its history stays, and its page under Archived
          plans brings it back.
        </p>
        <ActingAsField />
        <DialogFooter busy={busy} problem={problem} label="Archive" onClose={onClose} onConfirm={archive} />
      </div>
    </Dialog>
  );
}
