import type { Board } from '../../live/wire.ts';
import { paths } from '../../paths.ts';
import { appearances } from '../../ui/appearance.tsx';
import { countWithNoun } from '../../ui/format-count.ts';
import { Stat, Stats } from '../../ui/stat.tsx';
import { isInFilter, type SessionFilter } from './board-groups.ts';

/** The figures of the board; each opens the list that it counts. */
export function BoardFigures({ board }: { board: Board }) {
  const count = (filter: SessionFilter) => board.sessions.filter((session) => isInFilter(session, filter)).length;
  const health = (wanted: string) =>
    board.sessions.reduce((sum, { claims }) => sum + claims.filter((claim) => claim.health === wanted).length, 0);
  const contested = board.trees.filter((tree) => tree.contested);
  const cleanup = board.trees.filter((tree) => tree.needsCleanup).length;
  return (
    <Stats>
      <Stat
        appearance={appearances.waiting}
        count={count('waiting')}
        label="waiting"
        detail="for you to answer"
        href={paths.sessionsIn('waiting')}
      />
      <Stat
        appearance={appearances.running}
        count={count('running')}
        label="running"
        detail={`of ${countWithNoun(board.sessions.length, 'session')}`}
        href={paths.sessionsIn('running')}
      />
      <Stat
        appearance={appearances.idle}
        count={count('idle')}
        label="idle"
        detail={countWithNoun(health('stalled'), 'stalled claim')}
        href={paths.sessionsIn('idle')}
      />
      <Stat
        appearance={appearances.gone}
        count={count('gone')}
        label="gone"
        detail={countWithNoun(health('orphaned'), 'orphaned claim')}
        href={paths.sessionsIn('gone')}
      />
      <Stat
        appearance={appearances.contested}
        count={contested.length}
        label="contested"
        detail={countWithNoun(
          contested.reduce((sum, { live }) => sum + live.length, 0),
          'live session',
        )}
        href={paths.treesThat('contested')}
      />
      <Stat
        appearance={appearances.cleanup}
        count={cleanup}
        label="cleanup"
        detail="unused worktrees"
        href={paths.treesThat('cleanup')}
      />
      <Stat
        appearance={appearances.unlinked}
        count={board.unlinkedClaims.length}
        label="unlinked"
        detail="without a session"
        href="#unlinked-claims"
      />
    </Stats>
  );
}
