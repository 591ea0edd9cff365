import { CheckCheck, Hand, MessageSquareText, Pencil, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../live/me.tsx';
import type { NodeView } from '../live/wire.ts';
import { Button } from '../ui/button.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { SignOffDialog } from './sign-off-dialog.tsx';

type Open = 'claim' | 'report' | 'release' | 'edit' | 'signOff' | null;

/** What a person may do with a node. There is nothing here that would touch another's claim. */
export function NodeActions({ node }: { node: NodeView }) {
  const [open, setOpen] = useState<Open>(null);
  const me = useMe();
  const mine = node.claim !== null && me !== '' && node.claim.agent === me;
  const close = () => setOpen(null);
  return (
    <div className="flex flex-wrap gap-2">
      {node.status !== 'done' && !mine && (
        <Button kind={node.claim ? 'plain' : 'primary'} icon={Hand} onClick={() => setOpen('claim')}>
          Claim
        </Button>
      )}
      {mine && (
        <>
          <Button kind="primary" icon={MessageSquareText} onClick={() => setOpen('report')}>
            Report
          </Button>
          <Button icon={Undo2} onClick={() => setOpen('release')}>
            Release
          </Button>
        </>
      )}
      {node.binding?.kind === 'signOff' && (
        <Button icon={CheckCheck} onClick={() => setOpen('signOff')}>
          {node.evidence?.state === 'signed' ? 'Revoke sign-off' : 'Sign off'}
        </Button>
      )}
      <Button icon={Pencil} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {open === 'claim' && <ClaimDialog node={node} onClose={close} />}
      {open === 'report' && <ReportDialog node={node} onClose={close} />}
      {open === 'release' && <ReleaseDialog node={node} onClose={close} />}
      {open === 'signOff' && <SignOffDialog node={node} onClose={close} />}
      {open === 'edit' && <EditDialog node={node} onClose={close} />}
    </div>
  );
}
