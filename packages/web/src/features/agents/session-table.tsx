import { TriangleAlert } from 'lucide-react';
import { isWaiting } from 'signalbox/browser/needs';
import { Link } from 'wouter';
import type { Board, Session } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances, StateIcon, StateLabel } from '../../ui/appearance.tsx';
import { type Column, ColumnChoice, LinkTable, useTable } from '../../ui/table.tsx';
import { TimeAgo } from '../../ui/time.tsx';
import { LeaseMeter } from '../nodes/lease-meter.tsx';
import { linkSource, reasonText } from '../nodes/node-text.ts';
import { needsAttention } from './board-groups.ts';
import { sessionAppearance } from './session-appearance.ts';
import { shortTokens, tokenSum, tokenText } from './token-text.ts';

type Claim = Session['claims'][number];

const titleOf = ({ title, sessionId }: Session): string => title ?? sessionId.slice(0, 8);

/** First sessions that wait for a person, then claims in trouble, then running, idle and gone sessions. */
function urgencyOf(session: Session): number {
  if (isWaiting(session)) return 0;
  if (needsAttention(session)) return 1;
  return { running: 2, idle: 3, unknown: 4, gone: 5 }[session.state];
}

/** Waiting sessions first; the longest wait before the others. */
export const bySessionUrgency = (a: Session, b: Session): number =>
  urgencyOf(a) - urgencyOf(b) || (a.since ?? '').localeCompare(b.since ?? '');

/** The detail of a state in a word or two: `permission prompt`, `Bash`. */
const detailOf = ({ reason }: Session): string => reasonText(reason.replace(/^(waiting|tool):/, ''));

const refOf = ({ plan, node }: Claim): string => `${plan}/${node}`;
const leaseOf = ({ claims }: Session): string | null => claims.map(({ expiresAt }) => expiresAt).sort()[0] ?? null;

const columns: readonly Column<Session>[] = [
  {
    id: 'state',
    head: 'State',
    width: 'minmax(170px,0.8fr)',
    sort: urgencyOf,
    cell: (session) => (
      <span className="flex items-center gap-1.5" title={session.reason}>
        <StateLabel appearance={sessionAppearance(session)} {...(isWaiting(session) && { label: 'Waiting' })} />
        <span className="truncate text-fg-3 text-xs">{detailOf(session)}</span>
      </span>
    ),
  },
  {
    id: 'since',
    head: 'Since',
    width: '56px',
    labelled: true,
    sort: ({ since }) => since,
    descendingFirst: true,
    cell: ({ since }) => <TimeAgo at={since} />,
  },
  {
    id: 'session',
    head: 'Session',
    width: 'minmax(110px,1.6fr)',
    sort: titleOf,
    cell: (session) => <bdi>{titleOf(session)}</bdi>,
  },
  {
    id: 'node',
    head: 'Node and holder',
    width: 'minmax(150px,3fr)',
    has: ({ claims }) => claims.length > 0,
    sort: ({ claims }) => (claims[0] ? refOf(claims[0]) : null),
    cell: ({ claims }) => <Claims claims={claims} />,
  },
  {
    id: 'lease',
    head: 'Lease',
    width: 'var(--lease-width)',
    labelled: true,
    has: ({ claims }) => claims.length > 0,
    sort: leaseOf,
    cell: (session) => {
      const until = leaseOf(session);
      const [claim] = session.claims;
      return until && claim && <LeaseMeter from={null} until={until} tone={appearances[claim.health].tone} />;
    },
  },
  {
    id: 'repository',
    head: 'Repository, branch',
    width: 'minmax(120px,2.6fr)',
    from: 960,
    has: ({ repository, branch, cwd }) => (repository ?? branch ?? cwd) !== null,
    sort: ({ repository, cwd }) => repository ?? cwd,
    cell: ({ repository, branch, cwd }) => (
      <span className="text-fg-2" title={cwd ?? undefined}>
        {repository ?? cwd?.split('/').pop()}
        {branch && <span className="text-fg-3"> · {branch}</span>}
      </span>
    ),
  },
  {
    id: 'tool',
    head: 'Tool',
    width: '86px',
    from: 1200,
    sort: ({ tool }) => tool,
    cell: ({ tool }) => <span className="text-fg-2">{tool}</span>,
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: '58px',
    right: true,
    labelled: true,
    from: 1280,
    has: ({ tokens }) => tokens !== null,
    sort: ({ tokens }) => (tokens ? tokenSum(tokens) : null),
    descendingFirst: true,
    cell: ({ tokens, model }) =>
      tokens && (
        <span className="font-mono text-code text-fg-2" title={[model, tokenText(tokens)].filter(Boolean).join(': ')}>
          {shortTokens(tokenSum(tokens))}
        </span>
      ),
  },
  {
    id: 'seen',
    head: 'Seen',
    width: '56px',
    labelled: true,
    from: 1280,
    sort: ({ lastActivityAt }) => lastActivityAt,
    descendingFirst: true,
    cell: ({ lastActivityAt }) => (
      <span className="text-fg-3">
        <TimeAgo at={lastActivityAt} />
      </span>
    ),
  },
];

/** A card shows the repository in its head, and is narrower than the page. */
const columnsInCards = columns
  .filter(({ id }) => id !== 'repository' && id !== 'seen')
  .map((column) => (column.id === 'tool' ? { ...column, from: 1600 } : column));

const overlapColumn = (contested: ReadonlySet<string>): Column<Session> => ({
  id: 'overlap',
  head: 'Tree',
  width: '92px',
  from: 1100,
  has: ({ tree, live }) => live && tree !== null && contested.has(tree),
  sort: ({ tree, live }) => (live && tree !== null && contested.has(tree) ? 0 : null),
  cell: ({ tree, live }) =>
    live &&
    tree !== null &&
    contested.has(tree) && (
      <span className="tone-warn inline-flex items-center gap-1 text-tone-text">
        <TriangleAlert size={12} aria-hidden /> contested
      </span>
    ),
});

const hostColumn: Column<Session> = {
  id: 'host',
  head: 'Host',
  width: '90px',
  sort: ({ host }) => host,
  cell: ({ host }) => <span className="text-fg-3">{host}</span>,
};

/** The nodes that a session holds: the first, and how many more. */
function Claims({ claims: [first, ...more] }: Pick<Session, 'claims'>) {
  return (
    first && (
      <span className="flex min-w-0 gap-2">
        <NodeAndHolder claim={first} />
        {more.length > 0 && (
          <span className="shrink-0 text-fg-3 text-xs leading-5" title={more.map(refOf).join(', ')}>
            and {more.length} more
          </span>
        )}
      </span>
    )
  );
}

/** An inferred link may be wrong, so it looks different, and remains visible where there is little room. */
function NodeAndHolder({ claim }: { claim: Claim }) {
  const inferred = claim.correlation === 'inferred';
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <StateIcon appearance={appearances[claim.health]} size={13} />
      <Link
        href={paths.node(claim.plan, claim.node)}
        title={refOf(claim)}
        className="relative z-10 min-w-[8ch] truncate rounded font-medium hover:underline"
      >
        {refOf(claim)}
      </Link>
      <span
        className={`shrink-[10000] truncate text-fg-3 text-xs ${inferred ? 'min-w-[6ch] italic' : 'min-w-0'}`}
        title={linkSource(claim.linkedBy)}
      >
        {inferred ? `possibly ${claim.agent}` : claim.agent}
      </span>
    </span>
  );
}

type Props = {
  sessions: readonly Session[];
  label: string;
  /** The whole board: its order and columns can be chosen, and the browser stores the choice. */
  board?: Board;
};

/** Sessions as a dense table, those that wait for a person first. */
export function SessionTable({ sessions, label, board }: Props) {
  const contested = new Set(board?.trees.flatMap((tree) => (tree.contested ? [tree.root] : [])));
  const severalHosts = new Set(sessions.map(({ host }) => host)).size > 1;
  const all = [
    ...(board ? columns : columnsInCards),
    ...(contested.size > 0 ? [overlapColumn(contested)] : []),
    ...(severalHosts ? [hostColumn] : []),
  ];
  const table = useTable(board && 'sessions', sessions.toSorted(bySessionUrgency), all);
  return (
    <>
      {board && (
        <div className="flex items-center justify-end gap-2 px-3 py-2">
          <ColumnChoice table={table} />
        </div>
      )}
      <LinkTable
        label={label}
        table={table}
        keyOf={({ sessionId }) => sessionId}
        hrefOf={({ sessionId }) => paths.session(sessionId)}
        linkColumn="session"
      />
    </>
  );
}
