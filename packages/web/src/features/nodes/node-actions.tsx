import { CheckCheck, Hand, MessageSquareText, Pencil, Undo2 } from 'lucide-react';
import type { NodeView } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { useActingAs } from '../shared/acting-as.tsx';
import { useMay } from '../shared/me.ts';
import { useNodeDialog } from './node-dialogs.tsx';

/** What a person may do with a node. No action changes the claim of somebody else. */
export function NodeActions({ node }: { node: NodeView }) {
  const open = useNodeDialog();
  const me = useActingAs();
  const mayWork = useMay('work');
  const mayAuthor = useMay('author');
  const mine = node.claim !== null && me !== '' && node.claim.agent === me;
  return (
    <div className="flex flex-wrap gap-2">
      {node.status !== 'done' && !mine && (
        <Button kind={node.claim ? 'plain' : 'primary'} icon={Hand} {...mayWork} onClick={() => open('claim', node)}>
          Claim
        </Button>
      )}
      {mine && (
        <>
          <Button kind="primary" icon={MessageSquareText} {...mayWork} onClick={() => open('report', node)}>
            Report
          </Button>
          <Button icon={Undo2} {...mayWork} onClick={() => open('release', node)}>
            Release
          </Button>
        </>
      )}
      {node.binding?.kind === 'signOff' && (
        <Button icon={CheckCheck} {...mayAuthor} onClick={() => open('signOff', node)}>
          {node.evidence?.state === 'signed' ? 'Revoke sign-off' : 'Sign off'}
        </Button>
      )}
      <Button icon={Pencil} {...mayAuthor} onClick={() => open('edit', node)}>
        Edit
      </Button>
    </div>
  );
}
