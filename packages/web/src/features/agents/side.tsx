import { CircleAlert, Link2Off, SplitSquareHorizontal, SquareTerminal } from 'lucide-react';
import { Link } from 'wouter';
import type { Board } from '../../live/wire.ts';
import { Lease } from '../../node/lease.tsx';
import { reasonText } from '../../node/words.ts';
import { StateIcon } from '../../ui/tone.tsx';
import { endOf, isLive } from './arrange.ts';
import { Card, None } from './card.tsx';
import { Feed } from './feed.tsx';
import { sessionLook } from './session-rows.tsx';

/** What belongs to no tree: claims without a session, ambiguity, sessions without a claim, sources that cannot be read. */
export function Side({ board }: { board: Board }) {
  const free = board.sessions.filter((session) => isLive(session) && session.claims.length === 0);
  const broken = board.sources.filter(({ ok }) => !ok);
  return (
    <div className="flex flex-col gap-3 p-3">
      <Card icon={Link2Off} title="Unlinked claims" count={board.unlinkedClaims.length}>
        {board.unlinkedClaims.length === 0 && <None>Every claim is linked to a session.</None>}
        {board.unlinkedClaims.map((claim) => (
          <div key={`${claim.plan}/${claim.node}`} className="flex flex-col gap-0.5 border-line border-t px-3 py-2">
            <Link
              href={`/plans/${claim.plan}?node=${encodeURIComponent(claim.node)}`}
              className="truncate rounded font-semibold hover:underline"
            >
              {claim.plan}/{claim.node}
            </Link>
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-fg-2">{claim.agent}</span>
              <Lease from={claim.claimedAt} until={claim.expiresAt} tone="blocked" />
            </span>
            <span className="text-fg-3 text-sm">{reasonText(claim.reason)}</span>
          </div>
        ))}
      </Card>
      {board.ambiguous.length > 0 && (
        <Card icon={SplitSquareHorizontal} title="Ambiguous" count={board.ambiguous.length}>
          {board.ambiguous.map(({ repository, sessions, claims }) => (
            <p key={repository} className="border-line border-t px-3 py-2 text-fg-2">
              <b className="font-semibold text-fg">{repository}</b>: {sessions.length} live sessions, so{' '}
              {claims.join(', ')} could not be linked to one. Claim with the session id.
            </p>
          ))}
        </Card>
      )}
      <Feed />
      <Card icon={SquareTerminal} title="Live sessions without a claim" count={free.length}>
        {free.length === 0 && (
          <None>{board.sessions.some(isLive) ? 'Every live session holds something.' : 'No session is live.'}</None>
        )}
        {free.slice(0, 30).map((session) => (
          <Link
            key={session.sessionId}
            href={`/agents/${session.sessionId}`}
            className="flex items-center gap-2 border-line border-t px-3 py-1.5 hover:bg-hover"
          >
            <StateIcon look={sessionLook[session.state]} />
            <span className="max-w-[60%] shrink-0 truncate font-mono text-[11.5px]">
              {session.title ?? session.sessionId.slice(0, 8)}
            </span>
            <span className="min-w-0 flex-1 truncate text-right font-mono text-[11px] text-fg-3">
              {endOf(session.cwd)}
            </span>
          </Link>
        ))}
      </Card>
      {broken.map(({ tool, path, detail }) => (
        <Card key={path} icon={CircleAlert} title={`${tool} cannot be read`}>
          <p className="border-line border-t px-3 py-2 text-fg-2">
            <code className="break-all font-mono text-[11.5px]">{path}</code> {detail}
          </p>
        </Card>
      ))}
    </div>
  );
}
