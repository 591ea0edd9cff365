import { useStore } from 'zustand';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/page.tsx';
import { TimeAgo } from '../ui/time.tsx';
import { takeBack } from '../ui/toasts.tsx';
import { recentChanges, useUndoKey } from '../ui/undo.ts';
import { useKeys } from '../ui/use-keys.ts';
import { closeOverlay, openRecentChanges, overlay } from './overlay.ts';

/** The changes since this page was loaded; each can be undone. */
export function RecentChanges() {
  const isOpen = useStore(overlay, (state) => state.open === 'changes');
  const list = useStore(recentChanges, (state) => state.list);
  useUndoKey(takeBack);
  useKeys({ z: openRecentChanges });
  if (!isOpen) return null;
  return (
    <Dialog title="Recent changes" onClose={closeOverlay}>
      {list.length === 0 ? (
        <p className="text-fg-3">Nothing to undo. Nodes and dependencies that you add or remove here are listed.</p>
      ) : (
        <>
          <ul className="flex flex-col">
            {list.map((change) => (
              <li key={change.id} className="flex min-h-9 items-center gap-3 border-line border-t first:border-t-0">
                <span dir="auto" className="min-w-0 flex-1 break-words">
                  {change.text}
                </span>
                <span className="text-fg-3 text-xs">
                  <TimeAgo at={new Date(change.at).toISOString()} suffix=" ago" />
                </span>
                <Button aria-label={`Undo: ${change.text}`} onClick={() => takeBack(change)}>
                  Undo
                </Button>
              </li>
            ))}
          </ul>
          <p className="pt-3 text-fg-3 text-xs">
            <Kbd>Ctrl Z</Kbd> undoes the newest one on any page.
          </p>
        </>
      )}
    </Dialog>
  );
}
