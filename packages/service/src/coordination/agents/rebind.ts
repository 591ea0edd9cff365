import type { Entry, Scan, Transcript } from './ports.ts';

/** Which process, if any, serves a session. */
export type Binding = {
  entry: Entry | null;
  /** Living processes that name this session; more than one is a contest of its own. */
  processes: number;
  replaced: string | null;
  rebound: boolean;
  unclear: boolean;
};

/** How a session began, as its start hook told: `clear`, `resume`, `fork`. */
export type Starts = ReadonlyMap<string, string>;

/** How close the newest record of a successor must lie to the last status its process reported. */
const coincidesMs = 60_000;

const byBusy: readonly unknown[] = ['busy', 'waiting', 'shell', 'idle', null];

/**
 * Ties processes to sessions. After `/clear` the registry goes on naming the old session: where one living process and
 * one line of later transcripts fit together the newest of them takes the process over; where they do not, nobody knows.
 */
export function bindingsOf(scan: Pick<Scan, 'entries' | 'transcripts'>, starts: Starts): Map<string, Binding> {
  const bindings = new Map<string, Binding>();
  for (const entry of scan.entries) bindings.set(entry.sessionId, named(bindings.get(entry.sessionId), entry));

  const living = scan.entries.filter((entry) => entry.liveness === 'live');
  const byId = new Map(scan.transcripts.map((transcript) => [transcript.sessionId, transcript]));
  const byFolder = inFoldersOf(living, byId, scan.transcripts);
  for (const entry of living) {
    const old = byId.get(entry.sessionId);
    if (!old) continue;
    const beside = byFolder.get(old.folder) ?? [];
    const successors = beside.filter(
      (next) => !bindings.get(next.sessionId)?.entry && succeeds(next, old, entry, starts),
    );
    if (successors.length === 0) continue;
    const alone = living.every((other) => other === entry || other.cwd !== entry.cwd);
    if (alone && isLine(successors)) handOver(bindings, entry, successors, starts);
    else for (const { sessionId } of [old, ...successors]) bindings.set(sessionId, unclear(bindings.get(sessionId)));
  }
  return bindings;
}

const free: Binding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

const unclear = (binding: Binding = free): Binding => ({ ...binding, unclear: true });

/** Of several entries for one session the living one counts, and of those the busiest. */
function named(before: Binding = free, entry: Entry): Binding {
  const processes = before.processes + (entry.liveness === 'live' ? 1 : 0);
  const rank = (one: Entry | null) =>
    one === null ? 99 : (one.liveness === 'live' ? 0 : 10) + byBusy.indexOf(one.status);
  return { ...before, processes, entry: rank(entry) < rank(before.entry) ? entry : before.entry };
}

function inFoldersOf(
  living: readonly Entry[],
  byId: ReadonlyMap<string, Transcript>,
  transcripts: readonly Transcript[],
): Map<string, Transcript[]> {
  const folders = new Map<string, Transcript[]>();
  for (const entry of living) {
    const folder = byId.get(entry.sessionId)?.folder;
    if (folder !== undefined) folders.set(folder, []);
  }
  for (const transcript of transcripts) folders.get(transcript.folder)?.push(transcript);
  return folders;
}

function succeeds(next: Transcript, old: Transcript, entry: Entry, starts: Starts): boolean {
  if (next.firstAt === null || old.lastAt === null || entry.updatedAt === null) return false;
  if (next.entrypoint !== (entry.entrypoint ?? old.entrypoint)) return false;
  if (next.firstAt <= old.lastAt || entry.updatedAt < next.firstAt) return false;
  // Without a word of /clear it may be another terminal in the same place that came and went.
  return next.afterClear || starts.has(next.sessionId) || (next.lastAt ?? 0) >= entry.updatedAt - coincidesMs;
}

/** Each begins after the one before it ended. */
function isLine(successors: Transcript[]): boolean {
  successors.sort((a, b) => (a.firstAt ?? 0) - (b.firstAt ?? 0));
  return successors.every((next, i) => i === 0 || (next.firstAt ?? 0) > (successors[i - 1]?.lastAt ?? 0));
}

function handOver(bindings: Map<string, Binding>, entry: Entry, line: readonly Transcript[], starts: Starts): void {
  let old = entry.sessionId;
  for (const { sessionId } of line) {
    const how = starts.get(sessionId) ?? 'clear';
    bindings.set(old, { ...free, replaced: how === 'clear' ? '/clear' : how });
    bindings.set(sessionId, { ...free, entry, processes: 1, rebound: true });
    old = sessionId;
  }
}
