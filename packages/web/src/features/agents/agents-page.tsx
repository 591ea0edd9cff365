import { Bot, FolderTree, Funnel, Map as MapIcon } from 'lucide-react';
import { Link } from 'wouter';
import { useBoard } from '../../live/queries.ts';
import { Shown } from '../../live/shown.tsx';
import type { Board } from '../../live/wire.ts';
import { Button } from '../../ui/button.tsx';
import { Command } from '../../ui/copy.tsx';
import { many } from '../../ui/count.ts';
import { useCrumbs } from '../../ui/crumbs.tsx';
import { Empty, PageHead } from '../../ui/page.tsx';
import { useParam } from '../../ui/search-params.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { looks } from '../../ui/tone.tsx';
import { agentsOf, hostsOf, needsAttention, plansOf, treesOf } from './arrange.ts';
import { SessionRows } from './session-rows.tsx';
import { Side } from './side.tsx';
import { TreeCard } from './tree-card.tsx';

type By = 'tree' | 'session' | 'plan';

export function AgentsPage() {
  useCrumbs({ label: 'Agents' });
  return <Shown of={useBoard()}>{(board) => <Page board={board} />}</Shown>;
}

function Page({ board }: { board: Board }) {
  const [byText, setBy] = useParam('by');
  const [attention, setAttention] = useParam('attention');
  const by: By = byText === 'session' || byText === 'plan' ? byText : 'tree';
  const hosts = hostsOf(board);
  const nobody = board.sessions.length === 0 && board.unlinkedClaims.length === 0 && board.trees.length === 0;
  return (
    <>
      <PageHead
        title="Agents"
        says={`Observed on ${hosts > 1 ? `${hosts} hosts` : 'this host'}. The service marks, it never stops a session or releases a claim.`}
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
      </PageHead>
      {nobody ? (
        <Nobody board={board} />
      ) : (
        <div className="flex min-h-0 flex-1 max-lg:flex-col max-lg:overflow-y-auto max-md:flex-none max-md:overflow-visible">
          <section
            tabIndex={0}
            aria-label="Board"
            className="min-w-0 flex-1 overflow-y-auto p-[18px] max-lg:flex-none max-lg:overflow-visible"
          >
            <Arranged board={board} by={by} attention={attention !== null} />
          </section>
          <aside
            tabIndex={0}
            aria-label="Without a tree"
            className="w-[324px] shrink-0 overflow-y-auto border-line border-l max-lg:w-full max-lg:overflow-visible max-lg:border-l-0"
          >
            <Side board={board} />
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
        look={looks.running}
        count={sessions('running')}
        label="running"
        says={`of ${many(board.sessions.length, 'session')}`}
      />
      <Stat look={looks.idle} count={sessions('idle')} label="idle" says={many(health('stalled'), 'stalled claim')} />
      <Stat look={looks.gone} count={sessions('gone')} label="gone" says={many(health('orphaned'), 'orphaned claim')} />
      <Stat
        look={looks.contested}
        count={contested.length}
        label="contested"
        says={many(
          contested.reduce((sum, { sessions: ids }) => sum + ids.length, 0),
          'session',
        )}
      />
      <Stat look={looks.orphaned} count={cleanup} label="need cleanup" says="worktrees nobody is in" />
      <Stat look={looks.unlinked} count={board.unlinkedClaims.length} label="unlinked" says="plain leases" />
    </Stats>
  );
}

function Arranged({ board, by, attention }: { board: Board; by: By; attention: boolean }) {
  const agents = agentsOf(board);
  if (by === 'tree') {
    const views = treesOf(board).filter(({ weight, tree }) => !attention || weight < 3 || tree.needsCleanup);
    return (
      <div className="flex flex-col gap-2.5">
        {views.map((view) => (
          <TreeCard
            key={`${view.tree.host}${view.tree.root}`}
            view={view}
            agents={agents}
            host={hostsOf(board) > 1 ? view.tree.host : null}
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
  const plans = plansOf(board)
    .map(([plan, held]) => [plan, held.filter(({ session }) => !attention || needsAttention(session))] as const)
    .filter(([, held]) => held.length > 0);
  if (plans.length === 0) return <Calm />;
  return (
    <div className="flex flex-col gap-2.5">
      {plans.map(([plan, held]) => (
        <section key={plan} className="panel overflow-hidden">
          <h2 className="px-3 py-2.5 font-semibold">
            <Link href={`/plans/${plan}`} className="rounded hover:underline">
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
    <Empty icon={Bot} title="No agent has been seen yet">
      <p>
        Signalbox reads the session files of coding agents on this host and writes nothing there. Start one in a
        repository and it shows up here within seconds.
      </p>
      <div className="flex flex-col gap-1.5 text-left">
        <h3 className="eyebrow">Let Claude Code claim work here</h3>
        <Command text={`claude mcp add --transport http signalbox ${location.origin}/api/mcp`} />
      </div>
      {board.sources.length > 0 && (
        <ul className="text-left text-fg-3 text-sm">
          {board.sources.map(({ tool, path, ok, detail }) => (
            <li key={path}>
              {tool}: <code className="break-all font-mono text-[11.5px]">{path}</code>{' '}
              {ok ? 'is read' : (detail ?? 'cannot be read')}
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}
