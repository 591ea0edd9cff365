import type { SessionScan } from './ports.ts';
import type { SessionFacts } from './session-facts.ts';

/** The directories to find in git, and which of them a living session works in. */
export type WatchedDirectories = { wanted: ReadonlyMap<string, string | null>; busy: ReadonlySet<string> };

/** Gathers directories again only when a scan brought one that is not known yet, or when asked for all. */
export function createWatchedDirectories() {
  let wanted = new Map<string, string | null>();
  return {
    /** Whether a session that changed, or a registry, names a directory that was not located yet. */
    areNew(scans: readonly SessionScan[]): boolean {
      const isNew = (cwd: string | null | undefined) => typeof cwd === 'string' && !wanted.has(cwd);
      return scans.some(
        ({ changed, entries, transcripts }) =>
          entries.some(({ cwd }) => isNew(cwd)) || [...changed].some((id) => isNew(transcripts.get(id)?.cwd)),
      );
    },
    gather(scans: readonly SessionScan[], sessions: readonly SessionFacts[]): WatchedDirectories {
      wanted = new Map();
      for (const { entries, transcripts } of scans) {
        for (const { cwd } of entries) if (cwd !== null) wanted.set(cwd, null);
        for (const { cwd, branch } of transcripts.values()) if (cwd !== null) wanted.set(cwd, branch);
      }
      for (const { cwd, branch } of sessions) if (cwd !== null && !wanted.has(cwd)) wanted.set(cwd, branch);
      const busy = new Set(sessions.flatMap(({ live, cwd }) => (live && cwd !== null ? [cwd] : [])));
      return { wanted, busy };
    },
  };
}
