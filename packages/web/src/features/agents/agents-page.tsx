import { Bot, FolderTree, Funnel, Map as MapIcon, X } from 'lucide-react';
import type { Board } from '../../live/wire.ts';
import { useBreadcrumbs } from '../../ui/breadcrumbs.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { usePageActions } from '../../ui/page-actions.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { useSearchParam } from '../../ui/use-search-param.ts';
import { QueryResult } from '../shared/query-result.tsx';
import { useBoard } from './agent-queries.ts';
import { ArrangedBoard, type Arrangement } from './arranged-board.tsx';
import { BoardFigures } from './board-figures.tsx';
import { hostCount, type SessionFilter } from './board-groups.ts';
import { SidePanel } from './side-panel.tsx';
import { NoSessions } from './watched-folders.tsx';

export function AgentsPage() {
  useBreadcrumbs({ label: 'Agents' });
  return <QueryResult query={useBoard()}>{(board) => <Page board={board} />}</QueryResult>;
}

const filters: readonly string[] = ['live', 'waiting', 'running', 'idle', 'gone', 'unknown'];

function useArrangement() {
  const [by, setBy] = useSearchParam('by');
  const [attention, setAttention] = useSearchParam('attention');
  const [state, setState] = useSearchParam('state');
  const [only, setOnly] = useSearchParam('only');
  const [root, setRoot] = useSearchParam('tree');
  const arrangement: Arrangement = {
    by: by === 'session' || by === 'plan' ? by : 'tree',
    attention: attention !== null,
    state: state !== null && filters.includes(state) ? (state as SessionFilter) : null,
    only: only === 'contested' || only === 'cleanup' ? only : null,
    root,
  };
  const clear = () => {
    setState(null);
    setOnly(null);
    setRoot(null);
  };
  return { arrangement, setBy, setAttention, clear };
}

function Page({ board }: { board: Board }) {
  const { arrangement, setBy, setAttention, clear } = useArrangement();
  const { by, attention, state, only, root } = arrangement;
  const narrowed = state ?? only ?? root;
  const hosts = hostCount(board);
  const nobody = board.sessions.length === 0 && board.unlinkedClaims.length === 0 && board.trees.length === 0;
  const list = useListKeys<HTMLElement>();
  usePageActions([
    { label: 'Arrange by tree', icon: FolderTree, run: () => setBy(null) },
    { label: 'Arrange by session', icon: Bot, run: () => setBy('session') },
    { label: 'Arrange by plan', icon: MapIcon, run: () => setBy('plan') },
    { label: 'Attention only', icon: Funnel, run: () => setAttention(attention ? null : '1') },
  ]);
  return (
    <>
      <PageHeader
        title="Agents"
        description={`Observed on ${hosts > 1 ? `${hosts} hosts` : 'this host'}. Signalbox never stops a session and never releases a claim.`}
        actions={
          !nobody && (
            <>
              {narrowed && (
                <Button kind="on" icon={X} onClick={clear}>
                  Only {root ? 'one tree' : narrowed}
                </Button>
              )}
              <Segmented
                label="Arrange"
                value={by}
                onChange={(to) => setBy(to === 'tree' ? null : to)}
                choices={[
                  { value: 'tree', label: 'By tree', icon: FolderTree },
                  { value: 'session', label: 'Table', icon: Bot },
                  { value: 'plan', label: 'By plan', icon: MapIcon },
                ]}
              />
              <Button
                kind={attention ? 'on' : 'plain'}
                icon={Funnel}
                aria-pressed={attention}
                onClick={() => setAttention(attention ? null : '1')}
              >
                Attention only
              </Button>
            </>
          )
        }
      >
        {!nobody && by !== 'session' && <BoardFigures board={board} />}
      </PageHeader>
      {nobody ? (
        <NoSessions board={board} />
      ) : (
        <div
          className={`flex min-h-0 flex-1 max-xl:flex-col ${by === 'session' ? 'flex-col overflow-y-auto' : ''} max-xl:overflow-y-auto max-md:flex-none max-md:overflow-visible`}
        >
          <section
            ref={list}
            tabIndex={0}
            aria-label="Board"
            className={`min-w-0 p-page max-xl:flex-none max-xl:overflow-visible ${by === 'session' ? '' : 'flex-1 overflow-y-auto'}`}
          >
            <ArrangedBoard board={board} arrangement={arrangement} />
          </section>
          <aside
            tabIndex={0}
            aria-label="Without a tree"
            className={`shrink-0 max-xl:w-full max-xl:overflow-visible max-xl:border-l-0 ${by === 'session' ? '' : 'w-[324px] overflow-y-auto border-line border-l'}`}
          >
            <SidePanel board={board} />
          </aside>
        </div>
      )}
    </>
  );
}
