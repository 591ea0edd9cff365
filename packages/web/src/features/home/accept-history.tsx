import { useState } from 'react';
import { call } from '../../live/call.ts';
import { queryClient } from '../../live/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { withLocalTimes } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { DialogFooter } from '../shared/dialog-footer.tsx';
import { useMay } from '../shared/me.ts';
import { useAction } from '../shared/use-action.ts';

/** Asks before it ends the need, which cannot be undone. The need's row links to the audit, which shows the missing entries. */
export function AcceptHistory({ detail }: { detail: string }) {
  const may = useMay('admin');
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button {...may} onClick={() => setAsked(true)}>
        Accept the restore…
      </Button>
      {isAsked && <ConfirmDialog detail={detail} onClose={() => setAsked(false)} />}
    </>
  );
}

function ConfirmDialog({ detail, onClose }: { detail: string; onClose: () => void }) {
  const me = useActingAs();
  const { act, busy, problem } = useAction();
  const accept = () =>
    act(async () => {
      await call('accept_history', { by: me || undefined });
      showToast('The replaced history is accepted');
      onClose();
      await queryClient.invalidateQueries();
    });
  return (
    <Dialog title="Accept the restored database?" onClose={onClose}>
      <div className="flex flex-col gap-3.5">
        <p className="break-words">{withLocalTimes(detail)}</p>
        <p className="text-fg-2">
          If you accept, this warning ends on every host, and what is gone stays gone: Signalbox does not bring it back.
          The audit records who accepted. This cannot be undone.
        </p>
        <DialogFooter busy={busy} problem={problem} label="Accept the restore" onClose={onClose} onConfirm={accept} />
      </div>
    </Dialog>
  );
}
