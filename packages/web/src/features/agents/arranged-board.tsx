import { Link } from 'wouter';
import type { Board, Session } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import {
  hostCount,
  isInFilter,
  needsAttention,
  type SessionFilter,
  sessionsByPlan,
  type TreeView,
  treeViews,
} from './board-groups.ts';
import { SessionTable } from './session-table.tsx';
import { TreeCard } from './tree-card.tsx';
import { NoSessions } from './watched-folders.tsx';

export type Arrangement = {
  by: 'tree' | 'session' | 'plan';
  attention: boolean;
  state: SessionFilter | null;
  only: 'contested' | 'cleanup' | null;
  root: string | null;
};

/** The sessions of the board by tree, one by one, or by plan, with the filters from the address. */
export function ArrangedBoard({ board, arrangement }: { board: Board; arrangement: Arrangement }) {
  const isWanted = (session: Session) =>
    (!arrangement.attention || needsAttention(session)) &&
    (arrangement.state === null || isInFilter(session, arrangement.state));
  const narrowed = arrangement.attention || arrangement.state || arrangement.only || arrangement.root;
  const empty = narrowed ? <NoMatch attention={arrangement.attention} /> : <NoSessions board={board} />;
  if (arrangement.by === 'session') {
    const sessions = board.sessions.filter(isWanted);
    if (sessions.length === 0) return empty;
    return (
      <div className="panel">
        <SessionTable sessions={sessions} label="Sessions" board={board} />
      </div>
    );
  }
  if (arrangement.by === 'plan') {
    const plans = sessionsByPlan(board)
      .map(([plan, sessions]) => [plan, sessions.filter(isWanted)] as const)
      .filter(([, sessions]) => sessions.length > 0);
    return plans.length === 0 ? empty : <ByPlan plans={plans} />;
  }
  const views = treeViews(board).filter((view) => isTreeWanted(view, arrangement, isWanted));
  if (views.length === 0) return empty;
  return (
    <div className="flex flex-col gap-2.5">
      {views.map((view) => (
        <TreeCard
          key={`${view.tree.host}${view.tree.root}`}
          view={view}
          host={hostCount(board) > 1 ? view.tree.host : null}
          alone={arrangement.root !== null}
        />
      ))}
    </div>
  );
}

function isTreeWanted(
  { tree, urgency, sessions }: TreeView,
  { attention, state, only, root }: Arrangement,
  isWanted: (session: Session) => boolean,
): boolean {
  if (root !== null) return tree.root === root;
  if (only === 'contested') return tree.contested;
  if (only === 'cleanup') return tree.needsCleanup;
  if (state !== null) return sessions.some(isWanted);
  return !attention || urgency < 4 || tree.needsCleanup;
}

function ByPlan({ plans }: { plans: readonly (readonly [string, readonly Session[]])[] }) {
  return (
    <div className="flex flex-col gap-2.5">
      {plans.map(([plan, sessions]) => (
        <section key={plan} className="panel overflow-hidden">
          <h2 className="px-3 py-2.5 font-semibold">
            <Link href={paths.plan(plan)} className="rounded hover:underline">
              {plan}
            </Link>
          </h2>
          <SessionTable sessions={sessions} label={plan} />
        </section>
      ))}
    </div>
  );
}

const NoMatch = ({ attention }: { attention: boolean }) => (
  <p className="py-10 text-center text-fg-3">
    {attention ? 'No session here needs attention.' : 'No session is in this state now.'}
  </p>
);
