import { Ghost } from 'lucide-react';
import { cleanupCommand, unsavedCommand } from 'signalbox/browser/needs';
import type { Tree } from '../../live/wire.ts';
import { TeachingCommand } from '../shared/teaching-command.tsx';

/** A worktree that no session uses: first what may be unsaved in it, then the command that removes it. A person runs both. */
export function CleanUp({ tree, gone }: { tree: Tree; gone: number }) {
  const who =
    gone === 0 ? 'No session is left here' : gone === 1 ? 'Its session is gone' : `All ${gone} sessions are gone`;
  return (
    <div className="flex flex-col gap-2 px-3 pb-3">
      <p className="flex gap-2 text-fg-2">
        <Ghost size={15} className="mt-0.5 shrink-0" aria-hidden />
        {who} and the folder is still on disk.
      </p>
      <TeachingCommand title="1. See what is not committed and not pushed" text={unsavedCommand(tree)} />
      <TeachingCommand title="2. Remove it; git refuses while files are not committed" text={cleanupCommand(tree)} />
    </div>
  );
}
