import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { NodeView } from '../live/wire.ts';
import { ClaimDialog } from './claim-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { SignOffDialog } from './sign-off-dialog.tsx';

const dialogs = {
  claim: ClaimDialog,
  report: ReportDialog,
  release: ReleaseDialog,
  edit: EditDialog,
  signOff: SignOffDialog,
};
type Kind = keyof typeof dialogs;
type Open = (kind: Kind, node: NodeView) => void;

const Opening = createContext<Open>(() => undefined);

export const useNodeDialog = (): Open => useContext(Opening);

/**
 * The dialogs of a page's nodes. They hang here and not beside the node: while somebody types the node may leave the
 * list, and what was typed must not leave with it.
 */
export function NodeDialogs({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ kind: Kind; node: NodeView } | null>(null);
  const open = useMemo((): Open => (kind, node) => setShown({ kind, node }), []);
  const Shown = shown && dialogs[shown.kind];
  return (
    <Opening value={open}>
      {children}
      {Shown && <Shown node={shown.node} onClose={() => setShown(null)} />}
    </Opening>
  );
}
