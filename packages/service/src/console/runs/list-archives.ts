import type { Clock } from '../../kernel/clock.ts';
import { type BoardRun, boardRunFromArchive, boardRunFromIndex } from './board-run.ts';
import { headlineFromEnds } from './headline-from-ends.ts';
import type { Archive, RepositoryNames, StoredArchive } from './ports.ts';

/** How many archives are read at once. */
const archivesAtOnce = 32;

type ListArchivesDeps = {
  archive: Archive;
  clock: Clock;
  repositoryNames: RepositoryNames;
  warn: (details: object, text: string) => void;
};

/**
 * Puts every archive on the board, from its index or from its first and last lines. Returns the archives
 * that must still be read completely, most recently changed first.
 */
export async function listArchives(
  deps: ListArchivesDeps,
  boardRuns: Map<string, BoardRun>,
): Promise<readonly StoredArchive[]> {
  const { archive, clock } = deps;
  const unread: StoredArchive[] = [];
  for await (const { index, ...stored } of archive.stored()) {
    if (boardRuns.has(stored.runId)) continue;
    if (index) boardRuns.set(stored.runId, boardRunFromIndex({ index, runId: stored.runId }, clock.monotonic()));
    else unread.push({ ...stored, index });
  }
  unread.sort((a, b) => b.changedAtMs - a.changedAtMs);
  const names = cachedNames(deps.repositoryNames);
  for (let from = 0; from < unread.length; from += archivesAtOnce) {
    await Promise.all(
      unread.slice(from, from + archivesAtOnce).map((stored) => listOne(deps, boardRuns, stored, names)),
    );
  }
  return unread;
}

async function listOne(
  deps: ListArchivesDeps,
  boardRuns: Map<string, BoardRun>,
  stored: StoredArchive,
  names: RepositoryNames,
): Promise<void> {
  const { runId } = stored;
  try {
    const headline = headlineFromEnds(runId, (await deps.archive.ends(runId)) ?? []);
    if (!headline || boardRuns.has(runId)) return;
    const boardRun = boardRunFromArchive(runId, headline, stored, deps.clock.monotonic());
    if (headline.start.repository !== null) boardRun.repositoryName = await names(headline.start.repository);
    if (!boardRuns.has(runId)) boardRuns.set(runId, boardRun);
  } catch (err) {
    deps.warn({ err, runId }, 'an archive could not be looked into');
  }
}

function cachedNames(names: RepositoryNames): RepositoryNames {
  const cached = new Map<string, Promise<string | null>>();
  return (path) => {
    const name = cached.get(path) ?? names(path).catch(() => null);
    cached.set(path, name);
    return name;
  };
}
