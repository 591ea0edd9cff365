import type { Clock } from '../../kernel/clock.ts';
import { boardRunFromArchive, boardRunFromIndex } from './board-run.ts';
import { headlineFromEnds } from './headline-from-ends.ts';
import type { Archive, RepositoryNames, StoredArchive } from './ports.ts';
import type { RunRegistry } from './run-registry.ts';

/** How many archives are read at once. */
const archivesAtOnce = 32;

type ListArchivesDeps = {
  archive: Archive;
  clock: Clock;
  repositoryNames: RepositoryNames;
  registry: RunRegistry;
  warn: (details: object, text: string) => void;
};

/**
 * Puts every archive on the board, from its index or from its first and last lines. Returns the archives
 * that must still be read completely, most recently changed first.
 */
export async function listArchives(deps: ListArchivesDeps): Promise<readonly StoredArchive[]> {
  const { archive, clock, registry } = deps;
  const unread: StoredArchive[] = [];
  for await (const { index, ...stored } of archive.stored()) {
    if (registry.get(stored.runId)) continue;
    if (index) registry.add(boardRunFromIndex({ index, runId: stored.runId }, clock.monotonic()));
    else unread.push({ ...stored, index });
  }
  unread.sort((a, b) => b.changedAtMs - a.changedAtMs);
  const names = cachedNames(deps.repositoryNames);
  for (let from = 0; from < unread.length; from += archivesAtOnce) {
    await Promise.all(unread.slice(from, from + archivesAtOnce).map((stored) => listOne(deps, stored, names)));
  }
  return unread;
}

async function listOne(deps: ListArchivesDeps, stored: StoredArchive, names: RepositoryNames): Promise<void> {
  const { runId } = stored;
  try {
    const ends = await deps.archive.ends(runId);
    const headline = ends && headlineFromEnds(runId, ends);
    if (!headline || deps.registry.get(runId)) return;
    const boardRun = boardRunFromArchive(runId, headline, stored, deps.clock.monotonic());
    if (headline.start.repository !== null) boardRun.repositoryName = await names(headline.start.repository);
    deps.registry.add(boardRun);
  } catch {
    // Reading it whole finds out why.
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
