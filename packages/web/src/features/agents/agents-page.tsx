import { Bot, FolderTree, Funnel, Map as MapIcon } from 'lucide-react';
import { Link } from 'wouter';
import type { Board } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances } from '../../ui/appearance.tsx';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy-button.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { EmptyState, PageHeader } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { mcpCommand } from '../shared/mcp-command.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { useBoard } from './agent-queries.ts';
import { agentBySession, claimsByPlan, hostCount, needsAttention, treeViews } from './board-groups.ts';
import { SessionRows } from './session-rows.tsx';
import { SidePanel } from './side-panel.tsx';
import { TreeCard } from './tree-card.tsx';

type By = 'tree' | 'session' | 'plan';

export function AgentsPage() {
  useBreadcrumbs({ label: 'Agents' });
  return <QueryResult query={useBoard()}>{(board) => <Page board={board} />}</QueryResult>;
}

function Page({ board }: { board: Board }) {
  const [byText, setBy] = useSearchParam('by');
  const [attention, setAttention] = useSearchParam('attention');
  const by: By = byText === 'session' || byText === 'plan' ? byText : 'tree';
  const hosts = hostCount(board);
  const nobody = board.sessions.length === 0 && board.unlinkedClaims.length === 0 && board.trees.length === 0;
  return (
    <>
      <PageHeader
        title="Agents"
        description={`Observed on ${hosts > 1 ? `${hosts} hosts` : 'this host'}. The service marks, it never stops a session or releases a claim.`}
        actions={
          !nobody && (
            <>
              <Segmented
                label="Arrange"
                value={by}
                onChange={(to) => setBy(to === 'tree' ? null : to)}
                choices={[
                  { value: 'tree', label: 'By tree', icon: FolderTree },
                  { value: 'session', label: 'By session', icon: Bot },
                  { value: 'plan', label: 'By plan', icon: MapIcon },
                ]}
              />
              <Button
                kind={attention ? 'on' : 'plain'}
                icon={Funnel}
                aria-pressed={attention !== null}
                onClick={() => setAttention(attention ? null : '1')}
              >
                Attention only
              </Button>
            </>
          )
        }
      >
        {!nobody && <Figures board={board} />}
      </PageHeader>
      {nobody ? (
        <Nobody board={board} />
      ) : (
        <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto max-md:flex-none max-md:overflow-visible">
          <section
            tabIndex={0}
            aria-label="Board"
            className="min-w-0 flex-1 overflow-y-auto p-page max-lg:flex-none max-lg:overflow-visible"
          >
            <Arranged board={board} by={by} attention={attention !== null} />
          </section>
          <aside
            tabIndex={0}
            aria-label="Without a tree"
            className="w-[324px] shrink-0 overflow-y-auto border-line border-l max-lg:w-full max-lg:overflow-visible max-lg:border-l-0"
          >
            <SidePanel board={board} />
          </aside>
        </div>
      )}
    </>
  );
}

function Figures({ board }: { board: Board }) {
  const sessions = (state: string) => board.sessions.filter((session) => session.state === state).length;
  const health = (wanted: string) =>
    board.sessions.reduce((sum, { claims }) => sum + claims.filter((claim) => claim.health === wanted).length, 0);
  const contested = board.trees.filter((tree) => tree.contested);
  const cleanup = board.trees.filter((tree) => tree.needsCleanup).length;
  return (
    <Stats>
      <Stat
        appearance={appearances.running}
        count={sessions('running')}
        label="running"
        detail={`of ${countWithNoun(board.sessions.length, 'session')}`}
      />
      <Stat
        appearance={appearances.idle}
        count={sessions('idle')}
        label="idle"
        detail={countWithNoun(health('stalled'), 'stalled claim')}
      />
      <Stat
        appearance={appearances.gone}
        count={sessions('gone')}
        label="gone"
        detail={countWithNoun(health('orphaned'), 'orphaned claim')}
      />
      <Stat
        appearance={appearances.contested}
        count={contested.length}
        label="contested"
        detail={countWithNoun(
          contested.reduce((sum, { sessions: ids }) => sum + ids.length, 0),
          'session',
        )}
      />
      <Stat appearance={appearances.orphaned} count={cleanup} label="need cleanup" detail="worktrees nobody is in" />
      <Stat
        appearance={appearances.unlinked}
        count={board.unlinkedClaims.length}
        label="unlinked"
        detail="plain leases"
      />
    </Stats>
  );
}

function Arranged({ board, by, attention }: { board: Board; by: By; attention: boolean }) {
  const agents = agentBySession(board);
  if (by === 'tree') {
    const views = treeViews(board).filter(({ urgency: weight, tree }) => !attention || weight < 3 || tree.needsCleanup);
    return (
      <div className="flex flex-col gap-2.5">
        {views.map((view) => (
          <TreeCard
            key={`${view.tree.host}${view.tree.root}`}
            view={view}
            agents={agents}
            host={hostCount(board) > 1 ? view.tree.host : null}
          />
        ))}
        {views.length === 0 && <Calm />}
      </div>
    );
  }
  if (by === 'session') {
    const sessions = board.sessions.filter((session) => !attention || needsAttention(session));
    return sessions.length === 0 ? (
      <Calm />
    ) : (
      <div className="panel overflow-hidden">
        <SessionRows sessions={sessions} agents={agents} label="Sessions" />
      </div>
    );
  }
  return <ByPlan board={board} agents={agents} attention={attention} />;
}

function ByPlan({
  board,
  agents,
  attention,
}: {
  board: Board;
  agents: ReadonlyMap<string, string>;
  attention: boolean;
}) {
  const plans = claimsByPlan(board)
    .map(([plan, held]) => [plan, held.filter(({ session }) => !attention || needsAttention(session))] as const)
    .filter(([, held]) => held.length > 0);
  if (plans.length === 0) return <Calm />;
  return (
    <div className="flex flex-col gap-2.5">
      {plans.map(([plan, held]) => (
        <section key={plan} className="panel overflow-hidden">
          <h2 className="px-3 py-2.5 font-semibold">
            <Link href={paths.plan(plan)} className="rounded hover:underline">
              {plan}
            </Link>
          </h2>
          <SessionRows sessions={[...new Set(held.map(({ session }) => session))]} agents={agents} label={plan} />
        </section>
      ))}
    </div>
  );
}

const Calm = () => <p className="py-10 text-center text-fg-3">Nothing here needs you.</p>;

function Nobody({ board }: { board: Board }) {
  return (
    <EmptyState icon={Bot} title="No agent has been seen yet">
      <p>
        Signalbox reads the session files of coding agents on this host and writes nothing there. Start one in a
        repository and it shows up here within seconds.
      </p>
      <div className="flex flex-col gap-1.5 text-left">
        <h3 className="eyebrow">Let Claude Code claim work here</h3>
        <Command text={mcpCommand()} />
      </div>
      {board.sources.length > 0 && (
        <ul className="text-left text-fg-3 text-sm">
          {board.sources.map(({ tool, path, ok, detail }) => (
            <li key={path}>
              {tool}: <code className="break-all font-mono text-code">{path}</code>{' '}
              {ok ? 'is read' : (detail ?? 'cannot be read')}
            </li>
          ))}
        </ul>
      )}
    </EmptyState>
  );
}
