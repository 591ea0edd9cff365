import type { HookReports } from './hooks.ts';
import type { GitLocation, SourceScan } from './ports.ts';
import { type SessionFacts, sessionFactsOf } from './session-facts.ts';
import { observeSessions, type SessionObservation, sourceKey } from './session-observation.ts';
import { type DerivedState, deriveSessionState } from './session-state.ts';
import { noTurn, type Turn } from './turn.ts';

/** Wall time for ages, monotonic time for the pause between two polls. */
export type ObservationTime = { wall: number; monotonic: number };

export type Poll = {
  host: string;
  scans: readonly SourceScan[];
  locations: ReadonlyMap<string, GitLocation>;
  hookReports: HookReports;
  at: ObservationTime;
};

type TrackedSession = {
  facts: SessionFacts;
  source: string;
  turn: Turn;
  /** When the first of two polls found it gone. */
  firstMissedAt: number | null;
  /** Its newest record when it was called gone: a later one reopens it. */
  lastRecordAtEnd: number | null;
  /** Since when it has neither a transcript nor a registry entry. */
  traceLostAt: number | null;
  /** What it was last concluded from. */
  observation: SessionObservation;
  location: GitLocation | undefined;
};

/** `gone` takes two polls this far apart: a single one may hit a moment between two writes. */
const confirmGoneMs = 900;
/** How long a session that left no file stays on the board. */
const forgetTracelessMs = 24 * 60 * 60_000;

export type SessionTracker = {
  /** The same array until something changed. */
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  /** Applies one poll. Returns the sessions that changed. */
  observe(poll: Poll): string[];
};

export function createSessionTracker(): SessionTracker {
  const tracked = new Map<string, TrackedSession>();
  const sources = () => [...tracked].map(([id, { source }]) => [id, source] as const);
  let sessions: readonly SessionFacts[] = [];
  return {
    sessions: () => sessions,
    get: (sessionId) => tracked.get(sessionId)?.facts,
    observe(poll) {
      const changed = new Set<string>();
      for (const [sessionId, observation] of observeSessions(poll.scans, poll.hookReports.starts, sources())) {
        const before = tracked.get(sessionId);
        const after = trackSession(before, observation, poll);
        if (after) tracked.set(sessionId, after);
        else tracked.delete(sessionId);
        if (after?.facts !== before?.facts) changed.add(sessionId);
      }
      if (changed.size > 0) sessions = [...tracked.values()].map(({ facts }) => facts);
      return [...changed];
    },
  };
}

function trackSession(
  before: TrackedSession | undefined,
  sighting: SessionObservation,
  poll: Poll,
): TrackedSession | null {
  const { at } = poll;
  if (before && staysGone(before, sighting, poll)) return before;
  const traceless = sighting.transcript === null && sighting.binding.entry === null;
  const tracelessAt = traceless ? (before?.traceLostAt ?? at.monotonic) : null;
  if (tracelessAt !== null && at.monotonic - tracelessAt > forgetTracelessMs) return null;

  const turn = sighting.transcript?.turn ?? before?.turn ?? noTurn;
  const derived = deriveState(before, sighting, turn, poll);
  const isMissed = derived.state === 'gone' && before !== undefined && before.facts.state !== 'gone';
  const missedAt = isMissed ? (before.firstMissedAt ?? sighting.scan.processesCheckedAt) : null;
  const awaitsSecondPoll = missedAt !== null && sighting.scan.processesCheckedAt - missedAt < confirmGoneMs;
  const published = awaitsSecondPoll && before ? before.facts : derived;
  const lastAt = sighting.transcript?.lastAt ?? null;
  return {
    facts: sessionFactsOf(before?.facts, published, sighting, { ...poll, wall: at.wall }),
    source: sourceKey(sighting.scan),
    turn,
    firstMissedAt: missedAt,
    traceLostAt: tracelessAt,
    observation: sighting,
    location: poll.locations.get(sighting.transcript?.cwd ?? ''),
    lastRecordAtEnd: published.state === 'gone' ? (lastAt ?? at.wall) : (before?.lastRecordAtEnd ?? null),
  };
}

/** A session that is gone stays so until something new is observed: most are gone, and a poll must cost little. */
function staysGone(before: TrackedSession, { transcript, binding, scan }: SessionObservation, poll: Poll): boolean {
  if (before.facts.state !== 'gone' || transcript === null || scan.registry !== 'clean') return false;
  const last = before.observation;
  return (
    last.scan.registry === 'clean' &&
    last.transcript === transcript &&
    last.binding.entry === binding.entry &&
    last.binding.replaced === binding.replaced &&
    last.binding.unclear === binding.unclear &&
    before.location === poll.locations.get(transcript.cwd ?? '')
  );
}

function deriveState(
  before: TrackedSession | undefined,
  observation: SessionObservation,
  turn: Turn,
  poll: Poll,
): DerivedState {
  const { binding, transcript, scan, sessionId } = observation;
  const lastAt = transcript?.lastAt ?? null;
  // Without a registry only silence tells, also for a session whose file was removed.
  const lastActivity = lastAt ?? (scan.registry === 'unused' ? lastActivityOf(before) : null);
  const ended = poll.hookReports.ends.get(sessionId);
  const recordAtEnd = before?.lastRecordAtEnd ?? null;
  return deriveSessionState({
    entry: binding.entry,
    registry: scan.registry,
    turn,
    ageMs: lastActivity === null ? null : poll.at.wall - lastActivity,
    replaced: binding.replaced,
    rebindUnclear: binding.unclear,
    rebound: binding.rebound,
    ended: ended && (lastAt === null || lastAt <= ended.at) ? ended.reason : null,
    reopened: recordAtEnd !== null && lastAt !== null && lastAt > recordAtEnd,
    processInCwd: scan.registry === 'unused' && isOnlyProcessInCwd(observation),
    previous: before?.facts ?? null,
  });
}

const lastActivityOf = (before: TrackedSession | undefined): number | null =>
  before?.facts.lastActivityAt ? Date.parse(before.facts.lastActivityAt) : null;

/** Without a registry a process is tied to the newest session of its directory, if it is the only process there. */
function isOnlyProcessInCwd({ scan, transcript }: SessionObservation): boolean {
  const cwd = transcript?.cwd;
  if (!cwd || scan.processCwds.filter((one) => one === cwd).length !== 1) return false;
  return scan.transcripts.every(
    (other) => other === transcript || other.cwd !== cwd || (other.lastAt ?? 0) < (transcript.lastAt ?? 0),
  );
}
