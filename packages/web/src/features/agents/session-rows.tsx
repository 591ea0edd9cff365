import { Link2, Waypoints } from 'lucide-react';
import { Link } from 'wouter';
import type { Session } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { type Appearance, appearances, StateLabel } from '../../ui/appearance.tsx';
import { Chip } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { LeaseMeter } from '../nodes/lease-meter.tsx';
import { linkSource, reasonText } from '../nodes/node-text.ts';
import { SessionUseLine } from './session-use.tsx';

/** Where in its tree a session works. */
function pathInTree({ cwd, tree }: Session): string {
  if (cwd === null) return 'no directory known';
  if (tree === null || !cwd.startsWith(tree)) return cwd;
  return cwd === tree ? 'root of the tree' : cwd.slice(tree.length + 1);
}

export const sessionAppearance: Record<Session['state'], Appearance> = {
  running: appearances.running,
  idle: appearances.idle,
  gone: appearances.gone,
  unknown: appearances.unknown,
};

const head = 'px-3 py-1.5 text-left font-normal text-fg-3 text-xs';

/** Sessions of one tree or plan, one claim a line. */
export function SessionRows({
  sessions,
  agents,
  label,
}: {
  sessions: readonly Session[];
  agents: ReadonlyMap<string, string>;
  label: string;
}) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[560px] table-fixed border-collapse" aria-label={label}>
        <thead>
          <tr className="border-line border-t">
            <th className={`${head} w-[104px]`}>State</th>
            <th className={`${head} w-[26%]`}>Session, directory</th>
            <th className={`${head} w-[14%] max-xl:hidden`}>Agent</th>
            <th className={head}>Claim and health</th>
            <th className={`${head} w-[150px] max-xl:w-[80px]`}>Lease</th>
            <th className={`${head} w-[70px] text-right`}>Seen</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Row key={session.sessionId} session={session} agent={agents.get(session.sessionId)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cell = 'px-3 py-2 align-top';

function Row({ session, agent }: { session: Session; agent: string | undefined }) {
  return (
    <tr className="border-line border-t hover:bg-hover">
      <td className={cell}>
        <StateLabel appearance={sessionAppearance[session.state]} />
        <p className="truncate text-fg-3 text-xs" title={session.reason}>
          {session.activity === 'waiting' ? 'waiting for a person' : reasonText(session.reason)}
        </p>
      </td>
      <td className={cell}>
        <Link
          href={paths.session(session.sessionId)}
          className="block truncate rounded font-mono text-code hover:underline"
        >
          {session.title ?? session.sessionId.slice(0, 8)}
        </Link>
        <p className="truncate font-mono text-caption text-fg-3" title={session.cwd ?? undefined}>
          {pathInTree(session)}
        </p>
        <SessionUseLine session={session} />
      </td>
      <td className={`${cell} truncate max-xl:hidden`}>
        {agent}
        <p className="truncate text-caption text-fg-3">{session.tool}</p>
      </td>
      <td className={cell}>
        {session.claims.length === 0 && <span className="text-fg-3">no claim</span>}
        {session.claims.map((claim) => (
          <div key={`${claim.plan}/${claim.node}`} className="min-w-0">
            <Link
              href={paths.node(claim.plan, claim.node)}
              className="block truncate rounded font-medium hover:underline"
            >
              {claim.plan}/{claim.node}
            </Link>
            <span className="flex flex-wrap items-center gap-2">
              <StateLabel appearance={appearances[claim.health]} />
              {claim.correlation && (
                <Chip icon={claim.correlation === 'strong' ? Link2 : Waypoints} title={linkSource(claim.linkedBy)}>
                  {claim.correlation}
                </Chip>
              )}
            </span>
          </div>
        ))}
      </td>
      <td className={cell}>
        {session.claims.map((claim) => (
          <div key={`${claim.plan}/${claim.node}`} className="h-[39px]">
            <LeaseMeter from={null} until={claim.expiresAt} tone={appearances[claim.health].tone} />
          </div>
        ))}
      </td>
      <td className={`${cell} text-right font-mono text-code text-fg-3`}>
        <TimeAgo at={session.lastActivityAt} />
      </td>
    </tr>
  );
}
