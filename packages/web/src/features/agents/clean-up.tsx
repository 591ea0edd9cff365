import { Ghost, RotateCw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { cleanupCommand, unsavedCommand } from 'signalbox/browser/needs';
import { useServiceUnreachable } from '../../live/connection.ts';
import { asProblem } from '../../live/problem.ts';
import type { Tree } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TeachingCommand } from '../shared/teaching-command.tsx';
import { useUnsavedWork } from './agent-queries.ts';
import { UnsavedWorkList } from './unsaved-work.tsx';

/** A worktree that no session uses: first its unsaved work, then the command with which a person can remove it. */
export function CleanUp({
  tree,
  gone,
  alone,
}: {
  tree: Tree;
  gone: number /** Whether no other tree is shown. */;
  alone: boolean;
}) {
  const away = useServiceUnreachable();
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useUnsavedWork(tree.root, asked || alone);
  const who =
    gone === 0 ? 'No session is left here' : gone === 1 ? 'Its session is gone' : `All ${gone} sessions are gone`;
  const read = () => (asked || alone ? void refetch() : setAsked(true));
  const isKnown = data !== undefined || error !== null;
  return (
    <div className="flex flex-col gap-2.5 px-3 pb-3">
      <p className="flex gap-2 text-fg-2">
        <Ghost size={15} className="mt-0.5 shrink-0" aria-hidden />
        {who} and the folder is still on disk.
      </p>
      <div aria-live="polite" className="flex flex-col gap-2.5">
        {data && <UnsavedWorkList work={data} />}
        {error && (
          <>
            <Notice tone="warn">{asProblem(error).message}</Notice>
            <TeachingCommand title="See what is not committed, ignored or not pushed" text={unsavedCommand(tree)} />
          </>
        )}
      </div>
      <div>
        <Button icon={isKnown ? RotateCw : ScanSearch} disabled={isFetching || away} onClick={read}>
          {isFetching ? 'Reading the worktree' : isKnown ? 'Check again' : 'Check for unsaved work'}
        </Button>
      </div>
      {isKnown && (
        <TeachingCommand title="Remove it; git refuses while files are not committed" text={cleanupCommand(tree)} />
      )}
    </div>
  );
}
