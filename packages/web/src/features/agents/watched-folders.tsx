import { Bot } from 'lucide-react';
import type { Board } from '../../live/wire.ts';
import { EmptyState } from '../../ui/page.tsx';
import { DemoCommand } from '../shared/demo-command.tsx';
import { useCommands } from '../shared/pasted-commands.ts';
import { TeachingCommand } from '../shared/teaching-command.tsx';

/** Shown if the board has no session: which folders are watched, and how a session gets onto the board. */
export function NoSessions({ board }: { board: Board }) {
  return (
    <EmptyState icon={Bot} title="No agent session yet">
      <p>
        Signalbox reads the session files of coding agents on this host and writes nothing there. Start an agent in a
        repository; it appears here within seconds.
      </p>
      <TeachingCommand
        title="Run this in a repository so that its agents can claim work"
        text={useCommands().connect}
      />
      <DemoCommand />
      <WatchedFolders board={board} />
    </EmptyState>
  );
}

function WatchedFolders({ board }: { board: Board }) {
  if (board.sources.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5 text-left">
      <h3 className="eyebrow">Watched folders</h3>
      <ul className="flex flex-col gap-1 text-fg-3 text-sm">
        {board.sources.map(({ tool, path, ok, detail }) => (
          <li key={tool + path}>
            {tool}: <code className="break-all font-mono text-code">{path}</code>{' '}
            {detail ?? (ok ? 'is read' : 'cannot be read')}
          </li>
        ))}
      </ul>
    </div>
  );
}
