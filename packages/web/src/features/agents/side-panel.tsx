import { CircleAlert, Link2Off, SplitSquareHorizontal, SquareTerminal } from 'lucide-react';
import { Link } from 'wouter';
import type { Board } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { StateIcon } from '../../ui/appearance.tsx';
import { LeaseMeter } from '../nodes/lease-meter.tsx';
import { reasonText } from '../nodes/node-text.ts';
import { shortPath } from './board-groups.ts';
import { LiveFeed } from './live-feed.tsx';
import { EmptyLine, PanelCard } from './panel-card.tsx';
import { sessionAppearance } from './session-appearance.ts';

/** Everything that belongs to no tree: claims without a session, ambiguous sessions, sessions without a claim, unreadable sources. */
export function SidePanel({ board }: { board: Board }) {
  const free = board.sessions.filter((session) => session.live && session.claims.length === 0);
  const broken = board.sources.filter(({ ok }) => !ok);
  return (
    <div className="flex flex-col gap-3 p-3 max-xl:px-page max-xl:pt-0">
      <PanelCard id="unlinked-claims" icon={Link2Off} title="Unlinked claims" count={board.unlinkedClaims.length}>
        {board.unlinkedClaims.length === 0 && <EmptyLine>Every claim is linked to a session.</EmptyLine>}
        {board.unlinkedClaims.map((claim) => (
          <div key={`${claim.plan}/${claim.node}`} className="flex flex-col gap-0.5 border-line border-t px-3 py-2">
            <Link href={paths.node(claim.plan, claim.node)} className="truncate rounded font-semibold hover:underline">
              {claim.plan}/{claim.node}
            </Link>
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-fg-2">{claim.agent}</span>
              <LeaseMeter from={claim.claimedAt} until={claim.expiresAt} tone="blocked" />
            </span>
            <span className="text-fg-3 text-sm">{reasonText(claim.reason)}</span>
          </div>
        ))}
      </PanelCard>
      {board.ambiguous.length > 0 && (
        <PanelCard icon={SplitSquareHorizontal} title="Ambiguous" count={board.ambiguous.length}>
          {board.ambiguous.map(({ repository, sessions, claims }) => (
            <p key={repository} className="border-line border-t px-3 py-2 text-fg-2">
              <b className="font-semibold text-fg">{repository}</b>: {sessions.length} live sessions, so{' '}
              {claims.join(', ')} could not be linked to one. Claim with the session id.
            </p>
          ))}
        </PanelCard>
      )}
      <LiveFeed />
      <PanelCard icon={SquareTerminal} title="Live sessions without a claim" count={free.length}>
        {free.length === 0 && (
          <EmptyLine>
            {board.sessions.some(({ live }) => live) ? 'Every live session holds a claim.' : 'No session is live.'}
          </EmptyLine>
        )}
        {free.slice(0, 30).map((session) => (
          <Link
            key={session.sessionId}
            href={paths.session(session.sessionId)}
            className="flex items-center gap-2 border-line border-t px-3 py-1.5 hover:bg-hover"
          >
            <StateIcon appearance={sessionAppearance(session)} />
            <span className="max-w-[60%] shrink-0 truncate font-mono text-code">
              {session.title ?? session.sessionId.slice(0, 8)}
            </span>
            <span className="min-w-0 flex-1 truncate text-right font-mono text-caption text-fg-3">
              {shortPath(session.cwd)}
            </span>
          </Link>
        ))}
      </PanelCard>
      {broken.map(({ tool, path, detail }) => (
        <PanelCard key={path} icon={CircleAlert} title={`${tool} cannot be read`}>
          <p className="border-line border-t px-3 py-2 text-fg-2">
            <code className="break-all font-mono text-code">{path}</code> {detail}
          </p>
        </PanelCard>
      ))}
    </div>
  );
}
