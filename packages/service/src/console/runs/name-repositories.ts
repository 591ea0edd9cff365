import type { RepositoryNames } from './ports.ts';
import type { BoardRun, RunRegistry } from './run-registry.ts';

/**
 * Looks up the `owner/name` of each run's repository without delaying its events. Returns a function that resolves once all
 * look-ups that were started before it have ended.
 */
export function nameRepositories(
  registry: RunRegistry,
  names: RepositoryNames,
  named: (boardRun: BoardRun) => void,
): () => Promise<unknown> {
  const pending = new Set<Promise<void>>();
  const lookUp = async (boardRun: BoardRun): Promise<void> => {
    const { repository } = boardRun.head.start;
    if (repository === null) return;
    const name = await names(repository).catch(() => null);
    if (name === boardRun.repositoryName) return;
    boardRun.repositoryName = name;
    named(boardRun);
  };
  registry.listen({
    repositoryChanged(boardRun) {
      const lookingUp: Promise<void> = lookUp(boardRun).finally(() => pending.delete(lookingUp));
      pending.add(lookingUp);
    },
  });
  return () => Promise.all(pending);
}
