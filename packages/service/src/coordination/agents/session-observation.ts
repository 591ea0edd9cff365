import { isSameStart, type StartFormat, startFormatOf } from '../../platform/process-start.ts';
import type { Liveness, RegistryEntry, SessionScan, ToolProcess, Transcript } from './ports.ts';

/** Everything that one poll found of one session. */
export type SessionObservation = {
  sessionId: string;
  scan: SessionScan;
  binding: ProcessBinding;
  transcript: Transcript | null;
  /** If no registry names the session: the only process in its directory that can be writing it. */
  process: ToolProcess | null;
};

const unbound: ProcessBinding = { entry: null, processes: 0, replaced: null, rebound: false, unclear: false };

export const sourceKey = (scan: Pick<SessionScan, 'tool' | 'path'>) => `${scan.tool} ${scan.path}`;

/** The sessions that the processes of each source serve. */
export type BindingsBySource = ReadonlyMap<string, ReadonlyMap<string, ProcessBinding>>;

export type PollObservations = {
  bindings: BindingsBySource;
  /** Sessions for which this poll found a process or a registry entry. */
  named: ReadonlySet<string>;
  /** The findings of the poll about one session; undefined if its source could not be read. */
  of(sessionId: string, previousSource: string | undefined): SessionObservation | undefined;
};

/** Joins scans session by session, on demand: most sessions did not change. `known` are bindings that still hold. */
export function observationsOf(
  scans: readonly SessionScan[],
  starts: SessionStarts,
  known: BindingsBySource = new Map(),
): PollObservations {
  // If a directory cannot be read, its sessions keep their state.
  const readable = scans
    .filter(({ ok }) => ok)
    .map((scan) => ({
      scan,
      bindings: known.get(sourceKey(scan)) ?? bindProcesses(scan, starts),
      processOf: processFinder(scan),
    }));
  return {
    bindings: new Map(readable.map(({ scan, bindings }) => [sourceKey(scan), bindings])),
    named: new Set(readable.flatMap(({ bindings }) => [...bindings.keys()])),
    of(sessionId, previousSource) {
      let best: SessionObservation | undefined;
      for (const { scan, bindings, processOf } of readable) {
        const transcript = scan.transcripts.get(sessionId) ?? null;
        const binding = bindings.get(sessionId);
        if (!transcript && !binding) continue;
        const process = processOf(transcript);
        const observation = { sessionId, scan, transcript, binding: binding ?? unbound, process };
        if (!best || isBetter(observation, best)) best = observation;
      }
      if (best) return best;
      const scan = readable.find((one) => sourceKey(one.scan) === previousSource)?.scan;
      return scan && { sessionId, scan, binding: unbound, transcript: null, process: null };
    },
  };
}

const isBetter = (one: SessionObservation, other: SessionObservation): boolean =>
  one.binding.processes !== other.binding.processes
    ? one.binding.processes > other.binding.processes
    : (one.transcript?.lastAt ?? 0) > (other.transcript?.lastAt ?? 0);

/** Start times are exact to a hundredth of a second at best. */
const startSlackMs = 2_000;

/** Without a registry a process is tied to the newest session of its directory, if it is the only process there. */
function processFinder({ registry, processes, transcripts }: SessionScan) {
  if (registry !== 'unused' || processes.length === 0) return () => null;
  const newestByCwd = new Map<string, Transcript>();
  for (const transcript of transcripts.values()) {
    const { cwd, lastAt } = transcript;
    if (cwd !== null && (lastAt ?? 0) > (newestByCwd.get(cwd)?.lastAt ?? -1)) newestByCwd.set(cwd, transcript);
  }
  return (transcript: Transcript | null): ToolProcess | null => {
    if (!transcript?.cwd || newestByCwd.get(transcript.cwd) !== transcript) return null;
    const [only, ...others] = processes.filter(({ cwd }) => cwd === transcript.cwd);
    if (!only || others.length > 0) return null;
    // A process that started after the last record has not written here yet, and may begin a session of its own.
    return only.startedAt === null || (transcript.lastAt ?? 0) >= only.startedAt - startSlackMs ? only : null;
  };
}

/** The live pids with their start times (null if unreadable), and the format this system uses for them. */
export type RunningProcesses = { living: ReadonlyMap<number, string | null>; own: StartFormat | null };

/**
 * Pids are reused: only a pid and start time together identify a process. A start in another system's format
 * (a folder shared with a container, WSL beside Windows) names a process that cannot be seen from here.
 */
export function livenessOf(pid: number, procStart: string | null, { living, own }: RunningProcesses): Liveness {
  const written = procStart === null ? undefined : startFormatOf(procStart);
  if (own !== null && written !== undefined && written !== own) return 'foreign';
  const start = living.get(pid);
  if (start === undefined) return 'dead';
  if (start === null || procStart === null || written === undefined) return 'live';
  return startFormatOf(start) !== written || isSameStart(start, procStart) ? 'live' : 'reused';
}

type PolledScans = { scans: readonly SessionScan[]; onlyChanged?: boolean; locationsChanged: boolean };

export const changedIn = (scans: readonly SessionScan[]): Set<string> =>
  new Set(scans.flatMap(({ changed }) => [...changed]));

/**
 * Whether a poll limited to changed sessions found only records appended to known sessions: the same
 * processes serve the same sessions, and every source could be read before and now.
 */
export function createAppendCheck() {
  let before = new Map<string, readonly RegistryEntry[]>();
  return {
    areAll({ scans, onlyChanged, locationsChanged }: PolledScans, isKnown: (sessionId: string) => boolean): boolean {
      const entries = new Map(scans.filter(({ ok }) => ok).map((scan) => [sourceKey(scan), scan.entries]));
      const isSame = (scan: SessionScan) => scan.ok && areSame(before.get(sourceKey(scan)), scan.entries);
      const areAppends =
        onlyChanged === true && !locationsChanged && scans.every(isSame) && [...changedIn(scans)].every(isKnown);
      before = entries;
      return areAppends;
    },
  };
}

const areSame = (before: readonly RegistryEntry[] | undefined, entries: readonly RegistryEntry[]): boolean =>
  before === entries ||
  (before?.length === entries.length && entries.every((entry, at) => isSameEntry(before[at], entry)));

const isSameEntry = (a: RegistryEntry | undefined, b: RegistryEntry): boolean =>
  a?.pid === b.pid &&
  a.sessionId === b.sessionId &&
  a.liveness === b.liveness &&
  a.status === b.status &&
  a.waitingFor === b.waitingFor &&
  a.statusUpdatedAt === b.statusUpdatedAt;

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

/** How close in time the newest record of a successor must be to the last status that its process reported. */
const maxGapMs = 60_000;

const statusOrder: readonly unknown[] = ['busy', 'waiting', 'shell', 'idle', null];

/**
 * Binds processes to sessions. After `/clear` the registry still names the old session. If exactly one live
 * process and one sequence of later transcripts match, the newest transcript takes over the process; otherwise all are unclear.
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

/** The registry now names another session of the same process, so the earlier one was replaced. */
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
      ...unbound,
      replaced: howReplaced(starts.get(next) ?? (isOlder ? 'resume' : 'clear')),
    });
  }
}

const howReplaced = (how: string): string => (how === 'clear' ? '/clear' : how);

const markUnclear = (binding: ProcessBinding = unbound): ProcessBinding => ({ ...binding, unclear: true });

/** If a session has several entries, a live one counts; if several are live, the busiest. */
function bindEntry(before: ProcessBinding = unbound, entry: RegistryEntry): ProcessBinding {
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
    bindings.set(old, { ...unbound, replaced: howReplaced(starts.get(sessionId) ?? 'clear') });
    bindings.set(sessionId, { ...unbound, entry, processes: 1, rebound: true });
    old = sessionId;
  }
}
