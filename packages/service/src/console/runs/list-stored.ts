import type { Clock } from '../../kernel/clock.ts';
import { type Entry, entryFrom, foundEntry } from './entry.ts';
import { glimpseOf } from './glimpse.ts';
import type { Archive, RepositoryNames, Stored } from './ports.ts';

/** So many archives are looked into together. */
const together = 32;

type Deps = {
  archive: Archive;
  clock: Clock;
  repositoryNames: RepositoryNames;
  warn: (details: object, text: string) => void;
};

/**
 * Puts every archive that is there on the board: by its index, or by what its first and last lines tell. Returns those
 * that must still be read whole, lately changed first.
 */
export async function listStored(deps: Deps, entries: Map<string, Entry>): Promise<readonly Stored[]> {
  const { archive, clock } = deps;
  const unread: Stored[] = [];
  for await (const { index, ...stored } of archive.stored()) {
    if (entries.has(stored.runId)) continue;
    if (index) entries.set(stored.runId, entryFrom({ index, runId: stored.runId }, clock.monotonic()));
    else unread.push({ ...stored, index });
  }
  unread.sort((a, b) => b.changedAtMs - a.changedAtMs);
  const names = remembering(deps.repositoryNames);
  for (let from = 0; from < unread.length; from += together) {
    await Promise.all(unread.slice(from, from + together).map((stored) => listOne(deps, entries, stored, names)));
  }
  return unread;
}

async function listOne(deps: Deps, entries: Map<string, Entry>, stored: Stored, names: RepositoryNames): Promise<void> {
  const { runId } = stored;
  try {
    const head = glimpseOf(runId, (await deps.archive.ends(runId)) ?? []);
    if (!head || entries.has(runId)) return;
    const entry = foundEntry(runId, head, stored, deps.clock.monotonic());
    if (head.start.repository !== null) entry.repositoryName = await names(head.start.repository);
    if (!entries.has(runId)) entries.set(runId, entry);
  } catch (err) {
    deps.warn({ err, runId }, 'an archive could not be looked into');
  }
}

function remembering(names: RepositoryNames): RepositoryNames {
  const known = new Map<string, Promise<string | null>>();
  return (path) => {
    const name = known.get(path) ?? names(path).catch(() => null);
    known.set(path, name);
    return name;
  };
}
