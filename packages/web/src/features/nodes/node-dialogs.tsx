import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { NodeView } from '../../live/wire.ts';
import { BindDialog } from './bind-dialog.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { ChangeDialog } from './edit-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { RemoveDialog } from './remove-node.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { SignOffDialog } from './sign-off-dialog.tsx';

const dialogs = {
  bind: BindDialog,
  claim: ClaimDialog,
  report: ReportDialog,
  release: ReleaseDialog,
  edit: ChangeDialog,
  signOff: SignOffDialog,
  remove: RemoveDialog,
};
type Kind = keyof typeof dialogs;
type OpenNodeDialog = (kind: Kind, node: NodeView) => void;

const OpenNodeDialogContext = createContext<OpenNodeDialog>(() => undefined);

export const useNodeDialog = (): OpenNodeDialog => useContext(OpenNodeDialogContext);

/**
 * The dialogs of a page's nodes. They are mounted here and not next to the node: a node may leave the list while
 * somebody types, and the typed text must not be lost.
 */
export function NodeDialogs({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ kind: Kind; node: NodeView } | null>(null);
  const open = useMemo((): OpenNodeDialog => (kind, node) => setShown({ kind, node }), []);
  const Shown = shown && dialogs[shown.kind];
  return (
    <OpenNodeDialogContext value={open}>
      {children}
      {Shown && <Shown node={shown.node} onClose={() => setShown(null)} />}
    </OpenNodeDialogContext>
  );
}
