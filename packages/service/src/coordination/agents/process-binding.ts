import type { RegistryEntry, SessionScan, Transcript } from './ports.ts';

/** Which process, if any, serves a session. */
export type ProcessBinding = {
  entry: RegistryEntry | null;
  /** Live processes that name this session; more than one makes its tree contested. */
  processes: number;
  replaced: string | null;
  rebound: boolean;
  unclear: boolean;
};

/** How a session began, reported by its start hook: `clear`, `resume`, `fork`. */
export type SessionStarts = ReadonlyMap<string, string>;

/** How close the newest record of a successor must lie to the last status its process reported. */
const maxGapMs = 60_000;

const statusOrder: readonly unknown[] = ['busy', 'waiting', 'shell', 'idle', null];

/**
 * Binds processes to sessions. After `/clear` the registry goes on naming the old session. Where one live process and
 * one sequence of later transcripts fit together, the newest takes over the process; otherwise all are unclear.
 */
export function bindProcesses(
  scan: Pick<SessionScan, 'entries' | 'transcripts'>,
  starts: SessionStarts,
): Map<string, ProcessBinding> {
  const bindings = new Map<string, ProcessBinding>();
  for (const entry of scan.entries) bindings.set(entry.sessionId, bindEntry(bindings.get(entry.sessionId), entry));

  const living = scan.entries.filter((entry) => entry.liveness === 'live');
  const byId = scan.transcripts;
  for (const entry of living) markFormer(bindings, entry, byId, starts);
  const byFolder = inFoldersOf(living, byId);
  for (const entry of living) {
    const old = byId.get(entry.sessionId);
    if (!old) continue;
    const sameFolder = byFolder.get(old.folder) ?? [];
    const successors = sameFolder.filter(
      (next) => !isBound(bindings.get(next.sessionId)) && succeeds(next, old, entry, starts),
    );
    if (successors.length === 0) continue;
    const alone = living.every((other) => other === entry || other.cwd !== entry.cwd);
    if (alone && isSequential(successors)) handOver(bindings, entry, successors, starts);
    else
      for (const { sessionId } of [old, ...successors]) bindings.set(sessionId, markUnclear(bindings.get(sessionId)));
  }
  return bindings;
}

const isBound = (binding: ProcessBinding | undefined) => binding?.entry != null || binding?.replaced != null;

/** The registry names another session of the same process now: what it served before was replaced. */
function markFormer(
  bindings: Map<string, ProcessBinding>,
  { formerIds, sessionId }: RegistryEntry,
  byId: ReadonlyMap<string, Transcript>,
  starts: SessionStarts,
): void {
  for (const [index, former] of formerIds.entries()) {
    if (bindings.get(former)?.entry) continue;
    const next = formerIds[index + 1] ?? sessionId;
    const began = byId.get(next)?.firstAt ?? Number.POSITIVE_INFINITY;
    const isOlder = began < (byId.get(former)?.firstAt ?? Number.NEGATIVE_INFINITY);
    bindings.set(former, {
      ...unboundProcess,
      replaced: howReplaced(starts.get(next) ?? (isOlder ? 'resume' : 'clear')),
    });
  }
}

const howReplaced = (how: string): string => (how === 'clear' ? '/clear' : how);

const unboundProcess: ProcessBinding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

const markUnclear = (binding: ProcessBinding = unboundProcess): ProcessBinding => ({ ...binding, unclear: true });

/** Of several entries for one session the live one counts, and of those the busiest. */
function bindEntry(before: ProcessBinding = unboundProcess, entry: RegistryEntry): ProcessBinding {
  const processes = before.processes + (entry.liveness === 'live' ? 1 : 0);
  const rank = (one: RegistryEntry | null) =>
    one === null ? 99 : (one.liveness === 'live' ? 0 : 10) + statusOrder.indexOf(one.status);
  return { ...before, processes, entry: rank(entry) < rank(before.entry) ? entry : before.entry };
}

function inFoldersOf(
  living: readonly RegistryEntry[],
  byId: ReadonlyMap<string, Transcript>,
): Map<string, Transcript[]> {
  const folders = new Map<string, Transcript[]>();
  for (const entry of living) {
    const folder = byId.get(entry.sessionId)?.folder;
    if (folder !== undefined) folders.set(folder, []);
  }
  for (const transcript of byId.values()) folders.get(transcript.folder)?.push(transcript);
  return folders;
}

function succeeds(next: Transcript, old: Transcript, entry: RegistryEntry, starts: SessionStarts): boolean {
  if (next.firstAt === null || old.lastAt === null || entry.updatedAt === null) return false;
  if (next.entrypoint !== (entry.entrypoint ?? old.entrypoint)) return false;
  if (next.firstAt <= old.lastAt || entry.updatedAt < next.firstAt) return false;
  // Without a trace of /clear it may be another terminal in the same directory that came and went.
  return next.afterClear || starts.has(next.sessionId) || (next.lastAt ?? 0) >= entry.updatedAt - maxGapMs;
}

/** Each begins after the one before it ended. */
function isSequential(successors: Transcript[]): boolean {
  successors.sort((a, b) => (a.firstAt ?? 0) - (b.firstAt ?? 0));
  return successors.every((next, i) => i === 0 || (next.firstAt ?? 0) > (successors[i - 1]?.lastAt ?? 0));
}

function handOver(
  bindings: Map<string, ProcessBinding>,
  entry: RegistryEntry,
  line: readonly Transcript[],
  starts: SessionStarts,
): void {
  let old = entry.sessionId;
  for (const { sessionId } of line) {
    bindings.set(old, { ...unboundProcess, replaced: howReplaced(starts.get(sessionId) ?? 'clear') });
    bindings.set(sessionId, { ...unboundProcess, entry, processes: 1, rebound: true });
    old = sessionId;
  }
}
