import type { RunState } from './contract.ts';
import type { BoardRun } from './run-registry.ts';
import { repositoryOf, suiteOf } from './run-views.ts';

export type RunFilter = {
  tag?: string | undefined;
  suite?: string | undefined;
  repository?: string | undefined;
  state?: RunState | undefined;
};

export function stateOf(boardRun: BoardRun): RunState {
  if (boardRun.unreadable) return 'unreadable';
  if (boardRun.head.finish) return 'finished';
  return boardRun.orphaned ? 'orphaned' : 'running';
}

export function matchesRun(boardRun: BoardRun, { tag, suite, repository, state }: RunFilter): boolean {
  const { start } = boardRun.head;
  if (tag !== undefined && start.tag !== tag) return false;
  if (suite !== undefined && suiteOf(start) !== suite) return false;
  if (state !== undefined && stateOf(boardRun) !== state) return false;
  if (repository === undefined || repositoryOf(start) === repository) return true;
  return boardRun.repositoryName !== null && boardRun.repositoryName.toLowerCase() === repository.toLowerCase();
}
