import { CircleHelp, Link2 } from 'lucide-react';
import { Link } from 'wouter';
import type { Session } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances, StateLabel } from '../../ui/appearance.tsx';
import { Chip } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { LeaseMeter } from '../nodes/lease-meter.tsx';
import { linkSource, reasonText } from '../nodes/node-text.ts';
import { sessionAppearance } from './session-appearance.ts';
import { SessionUseLine } from './session-use.tsx';

type SessionClaim = Session['claims'][number];

/** Where in its tree a session works. */
function pathInTree({ cwd, tree }: Session): string {
  if (cwd === null) return 'no directory known';
  if (tree === null || !cwd.startsWith(tree)) return cwd;
  return cwd === tree ? 'root of the tree' : cwd.slice(tree.length + 1);
}

const head = 'px-3 py-1.5 text-left font-normal text-fg-3 text-xs';

/** Sessions of one tree or plan, one claim a line. Under 480 px each session is a card. */
export function SessionRows({ sessions, label }: { sessions: readonly Session[]; label: string }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full table-fixed border-collapse max-sm:block sm:min-w-[560px]" aria-label={label}>
        <thead className="max-sm:sr-only">
          <tr className="border-line border-t">
            <th className={`${head} w-[144px]`}>State</th>
            <th className={`${head} w-[26%]`}>Session, directory</th>
            <th className={head}>Claim and health</th>
            <th className={`${head} w-[17%]`}>Holder</th>
            <th className={`${head} w-[150px] max-[1400px]:w-[80px]`}>Lease</th>
            <th className={`${head} w-[64px] text-right`}>Seen</th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {sessions.map((session) => (
            <Row key={session.sessionId} session={session} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cell = 'px-3 py-2 align-top max-sm:block max-sm:py-0.5';
/** One claim's part of a cell; as high as its neighbours, so that they are aligned. */
const part = 'min-w-0 sm:h-[44px]';

function Row({ session }: { session: Session }) {
  const { claims } = session;
  return (
    <tr className="border-line border-t hover:bg-hover max-sm:block max-sm:py-2">
      <td className={cell}>
        <StateLabel appearance={sessionAppearance(session)} />
        <p className="truncate text-fg-3 text-xs" title={session.reason}>
          {reasonText(session.reason.replace(/^waiting:/, ''))}
        </p>
      </td>
      <td className={cell}>
        <Link
          data-row
          href={paths.session(session.sessionId)}
          className="block truncate rounded font-mono text-code hover:underline"
        >
          {session.title ?? session.sessionId.slice(0, 8)}
        </Link>
        <p className="truncate font-mono text-caption text-fg-3" title={session.cwd ?? undefined}>
          {session.tool}, {pathInTree(session)}
        </p>
        <SessionUseLine session={session} />
      </td>
      <td className={cell}>
        {claims.length === 0 && <span className="text-fg-3">no claim</span>}
        {claims.map((claim) => (
          <div key={refOf(claim)} className={part}>
            <Link
              href={paths.node(claim.plan, claim.node)}
              className="block truncate rounded font-medium hover:underline"
            >
              {refOf(claim)}
            </Link>
            <StateLabel appearance={appearances[claim.health]} />
          </div>
        ))}
      </td>
      <td className={cell}>
        {claims.map((claim) => (
          <div key={refOf(claim)} className={part}>
            <Holder claim={claim} />
          </div>
        ))}
      </td>
      <td className={cell}>
        {claims.map((claim) => (
          <div key={refOf(claim)} className={part}>
            <LeaseMeter from={null} until={claim.expiresAt} tone={appearances[claim.health].tone} />
          </div>
        ))}
      </td>
      <td className={`${cell} text-right font-mono text-code text-fg-3 max-sm:text-left`}>
        <span className="sm:hidden">seen </span>
        <TimeAgo at={session.lastActivityAt} />
      </td>
    </tr>
  );
}

const refOf = ({ plan, node }: SessionClaim): string => `${plan}/${node}`;

/** The agent of this claim and how it is linked; an inferred link may be wrong and is drawn apart. */
function Holder({ claim: { agent, correlation, linkedBy } }: { claim: SessionClaim }) {
  const inferred = correlation === 'inferred';
  return (
    <>
      <p className={`truncate ${inferred ? 'text-fg-2 italic' : ''}`}>{inferred ? `possibly ${agent}` : agent}</p>
      {correlation && (
        <Chip icon={inferred ? CircleHelp : Link2} title={linkSource(linkedBy)}>
          {inferred ? 'inferred link' : 'strong link'}
        </Chip>
      )}
    </>
  );
}
