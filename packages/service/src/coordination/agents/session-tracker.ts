import type { HookReports } from './hooks.ts';
import type { GitLocation, SessionScan } from './ports.ts';
import {
  type BindingsBySource,
  changedIn,
  createAppendCheck,
  observationsOf,
  type SessionObservation,
  sourceKey,
} from './session-observation.ts';
import { type DerivedState, deriveSessionState, type SessionFacts, sessionFactsOf } from './session-state.ts';
import { noTurn, type Turn } from './turn.ts';

/** Wall time for ages, monotonic time for the pause between two polls. */
export type ObservationTime = { wall: number; monotonic: number };

export type Poll = {
  host: string;
  scans: readonly SessionScan[];
  locations: ReadonlyMap<string, GitLocation>;
  /** True if any location differs from that of the previous poll. */
  locationsChanged: boolean;
  hookReports: Pick<HookReports, 'starts' | 'ends'>;
  at: ObservationTime;
  /** If records were only appended to known sessions, check only those. */
  onlyChanged?: boolean;
};

type TrackedSession = {
  facts: SessionFacts;
  source: string;
  turn: Turn;
  /** The process that was last seen serving it. */
  pid: number | null;
  /** When the first of two polls found it gone. */
  firstMissedAt: number | null;
  /** Records up to this time were written before the session was marked gone; a later record reopens it. */
  endedAt: number | null;
  /** When it was first seen with neither a transcript nor a registry entry. */
  traceLostAt: number | null;
};

/** `gone` by absence takes two polls this far apart: a single one may hit a moment between two writes. */
const confirmGoneMs = 900;
/** How long a session that left no file stays on the board. */
const forgetTracelessMs = 24 * 60 * 60_000;

export type SessionChange = { before: SessionFacts | undefined; after: SessionFacts | undefined };

export type SessionTracker = {
  /** Returns the same array until something changes. */
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  /** Whether a session is missing, so that the next poll must check processes again. */
  awaitsConfirmation(): boolean;
  /** Applies one poll. Returns the sessions that changed. */
  observe(poll: Poll): ReadonlyMap<string, SessionChange>;
};

export function createSessionTracker(): SessionTracker {
  const tracked = new Map<string, TrackedSession>();
  /** Sessions whose state may change although their files do not: time passes, processes end. */
  const unsettled = new Set<string>();
  /** Changes of sources that could not be read when they were reported. */
  const postponed = new Map<string, Set<string>>();
  const appends = createAppendCheck();
  let bindings: BindingsBySource = new Map();
  let sessions: readonly SessionFacts[] = [];

  function toCheck(poll: Poll, named: Iterable<string>): Set<string> {
    const ids = new Set([...unsettled, ...named]);
    if (poll.locationsChanged) for (const sessionId of tracked.keys()) ids.add(sessionId);
    for (const scan of poll.scans) {
      const key = sourceKey(scan);
      const changed = new Set([...(postponed.get(key) ?? []), ...scan.changed]);
      if (!scan.ok) {
        postponed.set(key, changed);
        continue;
      }
      postponed.delete(key);
      for (const sessionId of changed) ids.add(sessionId);
    }
    return ids;
  }

  return {
    sessions: () => sessions,
    // Callers write ids in any letter case, but two ids of OpenCode may differ in case alone.
    get: (sessionId) => (tracked.get(sessionId) ?? tracked.get(sessionId.toLowerCase()))?.facts,
    awaitsConfirmation: () => [...unsettled].some((id) => tracked.get(id)?.firstMissedAt != null),
    observe(poll) {
      const changes = new Map<string, SessionChange>();
      const isAppendOnly = appends.areAll(poll, (sessionId) => tracked.has(sessionId));
      const observations = observationsOf(poll.scans, poll.hookReports.starts, isAppendOnly ? bindings : new Map());
      bindings = observations.bindings;
      for (const sessionId of isAppendOnly ? changedIn(poll.scans) : toCheck(poll, observations.named)) {
        const before = tracked.get(sessionId);
        const observation = observations.of(sessionId, before?.source);
        if (!observation) continue;
        const after = trackSession(before, observation, poll);
        if (after) tracked.set(sessionId, after);
        else tracked.delete(sessionId);
        if (after && (after.facts.state !== 'gone' || after.traceLostAt !== null)) unsettled.add(sessionId);
        else unsettled.delete(sessionId);
        if (after?.facts !== before?.facts) changes.set(sessionId, { before: before?.facts, after: after?.facts });
      }
      if (changes.size > 0) sessions = [...tracked.values()].map(({ facts }) => facts);
      return changes;
    },
  };
}

function trackSession(
  before: TrackedSession | undefined,
  observation: SessionObservation,
  poll: Poll,
): TrackedSession | null {
  const { at } = poll;
  const { binding, transcript, scan } = observation;
  const traceless = transcript === null && binding.entry === null;
  const traceLostAt = traceless ? (before?.traceLostAt ?? at.monotonic) : null;
  if (traceLostAt !== null && at.monotonic - traceLostAt > forgetTracelessMs) return null;

  const turn = transcript?.turn ?? before?.turn ?? noTurn;
  const servedBy = binding.entry?.liveness === 'live' ? binding.entry.pid : (observation.process?.pid ?? null);
  const lastAt = transcript?.lastAt ?? null;
  const reopened = before?.endedAt != null && lastAt !== null && lastAt > before.endedAt;
  // A record that came after the end was written by a process that nobody has seen.
  const pid = servedBy ?? (reopened ? null : (before?.pid ?? null));
  const hasEnded = servedBy === null && pid !== null && isMissing(pid, observation);
  const derived = deriveState(before, observation, { turn, reopened, hasEnded, served: servedBy !== null }, poll);
  const isMissed = derived.state === 'gone' && before !== undefined && before.facts.state !== 'gone';
  const missedAt = isMissed && !isCertain(pid, observation) ? (before.firstMissedAt ?? scan.processesCheckedAt) : null;
  const awaitsSecondPoll = missedAt !== null && scan.processesCheckedAt - missedAt < confirmGoneMs;
  const published = awaitsSecondPoll && before ? before.facts : derived;
  const endedAt = before?.facts.state === 'gone' && !reopened ? before.endedAt : hasEnded ? at.wall : null;
  return {
    facts: sessionFactsOf(before?.facts, published, observation, { ...poll, wall: at.wall }),
    source: sourceKey(scan),
    turn,
    pid,
    firstMissedAt: awaitsSecondPoll ? missedAt : null,
    traceLostAt,
    endedAt: published.state === 'gone' ? Math.max(endedAt ?? 0, lastAt ?? at.wall) : (before?.endedAt ?? null),
  };
}

/** A process that served this session and no longer does. If a registry cannot be read, nothing is concluded. */
const isMissing = (pid: number, { scan, binding }: SessionObservation): boolean =>
  scan.registry === 'unused'
    ? !scan.processes.some((one) => one.pid === pid)
    : scan.registry === 'clean' && binding.entry?.liveness !== 'live';

/** The process was looked up and is not running; absence from a registry alone may be a moment between two writes. */
const isCertain = (pid: number | null, { scan, binding }: SessionObservation): boolean =>
  (binding.entry !== null && binding.entry.liveness !== 'live') ||
  binding.replaced !== null ||
  (pid !== null && (scan.ended.has(pid) || scan.registry === 'unused'));

type Conclusions = { turn: Turn; reopened: boolean; hasEnded: boolean; served: boolean };

function deriveState(
  before: TrackedSession | undefined,
  { binding, transcript, scan, sessionId, process }: SessionObservation,
  { turn, reopened, hasEnded, served }: Conclusions,
  poll: Poll,
): DerivedState {
  const lastAt = transcript?.lastAt ?? null;
  const ended = poll.hookReports.ends.get(sessionId);
  const toldEnd = ended && (lastAt === null || lastAt <= ended.at) ? ended.reason : null;
  // Without a live process, a new record or a cause, a session that is gone stays gone, with the same reason.
  if (before?.facts.state === 'gone' && !served && !reopened && binding.replaced === null && toldEnd === null)
    return before.facts;
  // Without a registry, silence is the only sign, also for a session with a removed file.
  const lastActivity = lastAt ?? (scan.registry === 'unused' ? lastActivityOf(before) : null);
  return deriveSessionState({
    entry: binding.entry,
    registry: scan.registry,
    turn,
    ageMs: lastActivity === null ? null : poll.at.wall - lastActivity,
    replaced: binding.replaced,
    rebindUnclear: binding.unclear,
    rebound: binding.rebound,
    ended: toldEnd,
    reopened,
    processEnded: hasEnded,
    processInCwd: process !== null,
    previous: before?.facts ?? null,
  });
}

const lastActivityOf = (before: TrackedSession | undefined): number | null =>
  before?.facts.lastActivityAt ? Date.parse(before.facts.lastActivityAt) : null;
