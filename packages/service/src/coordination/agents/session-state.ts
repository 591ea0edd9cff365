import { iso } from '../../kernel/clock.ts';
import type { Activity, Session, SessionState } from './contract.ts';
import { type GitLocation, noUsage, type RegistryEntry, type SessionUsage, type Transcript } from './ports.ts';
import type { SessionObservation } from './session-observation.ts';
import type { Turn } from './turn.ts';

/** Everything that is known about one session in one poll. Ages are in milliseconds; null if no record has a time. */
export type SessionSignals = {
  /** The registry entry of the session; null if it has none. */
  entry: Pick<RegistryEntry, 'liveness' | 'status' | 'waitingFor'> | null;
  registry: 'clean' | 'degraded' | 'unused';
  turn: Turn;
  ageMs: number | null;
  /** How the process came to serve a newer session: `/clear`, `resume`, `fork`. */
  replaced: string | null;
  /** The process serves one of several newer sessions, but it is unknown which. */
  rebindUnclear: boolean;
  /** The entry was matched to this session by inference: the registry still names an older one. */
  rebound: boolean;
  /** Cause reported by the tool's own end-of-session hook, with nothing written since. */
  ended: string | null;
  /** It was written to after it had been marked gone. */
  reopened: boolean;
  /** A process was seen serving this session and no longer does. */
  processEnded: boolean;
  /** Without a registry: a process of the tool runs in its directory, and no other session matches it better. */
  processInCwd: boolean;
  previous: DerivedState | null;
};

export type DerivedState = { state: SessionState; reason: string; activity: Activity | null; inferred: boolean };

/** Judgements, not measurements: a turn can be silent for ten minutes, a writer that is not registered rarely for one. */
export const recentWriteMs = 90_000;
export const staleTurnMs = 15 * 60_000;

type StateRule = { when: (e: SessionSignals) => boolean; result: (e: SessionSignals) => DerivedState };

const derivedState = (state: SessionState, reason: string, more: Partial<DerivedState> = {}): DerivedState => ({
  state,
  reason,
  activity: null,
  inferred: false,
  ...more,
});

const isLive = (e: SessionSignals) => e.entry?.liveness === 'live';
const hasStatus = (e: SessionSignals, status: string) => isLive(e) && e.entry?.status === status;
const hasNoStatus = (e: SessionSignals) => isLive(e) && e.entry?.status === null;
const hasForeignProcess = (e: SessionSignals) => e.entry?.liveness === 'foreign';
const hasDeadProcess = (e: SessionSignals) => e.entry !== null && !isLive(e);
const isUnregistered = (e: SessionSignals) => e.entry === null && e.registry !== 'unused';
const isOpen = (e: SessionSignals) => e.turn.state === 'open';
const isYoungerThan = (e: SessionSignals, ms: number) => e.ageMs !== null && e.ageMs < ms;
const waitingActivity = (e: SessionSignals): Activity | null => (e.turn.waiting ? 'waiting' : null);
const endOfTurn = (e: SessionSignals) => (e.turn.state === 'closed' ? e.turn.detail : 'turn_ended');

/** First match wins. The order matters: what the tool reports beats everything we infer. */
export const stateRules: readonly StateRule[] = [
  {
    when: (e) => e.registry === 'degraded' && e.entry === null && e.replaced === null,
    result: (e) => e.previous ?? derivedState('unknown', 'registry_degraded'),
  },
  { when: (e) => e.replaced !== null, result: (e) => derivedState('gone', `replaced:${e.replaced}`) },
  { when: (e) => e.rebindUnclear, result: () => derivedState('unknown', 'several_successors') },
  {
    when: (e) => hasStatus(e, 'busy'),
    result: (e) =>
      derivedState('running', isOpen(e) ? e.turn.detail : 'turn', { activity: isOpen(e) ? waitingActivity(e) : null }),
  },
  {
    when: (e) => hasStatus(e, 'waiting'),
    result: (e) => derivedState('running', `waiting:${e.entry?.waitingFor ?? 'user'}`, { activity: 'waiting' }),
  },
  { when: (e) => hasStatus(e, 'idle'), result: (e) => derivedState('idle', endOfTurn(e)) },
  {
    when: (e) => hasStatus(e, 'shell'),
    result: (e) => derivedState('idle', endOfTurn(e), { activity: 'background_shell' }),
  },
  {
    when: (e) => hasNoStatus(e) && (e.turn.state === 'closed' || e.turn.state === 'none'),
    result: (e) => derivedState('idle', e.turn.detail, { inferred: true }),
  },
  {
    when: (e) => hasNoStatus(e) && isOpen(e) && isYoungerThan(e, staleTurnMs),
    result: (e) => derivedState('running', e.turn.detail, { activity: waitingActivity(e), inferred: true }),
  },
  {
    when: (e) => hasNoStatus(e) && isOpen(e),
    result: () => derivedState('unknown', 'open_turn_stale', { inferred: true }),
  },
  { when: isLive, result: (e) => derivedState('unknown', e.turn.detail, { inferred: true }) },
  { when: (e) => e.ended !== null, result: (e) => derivedState('gone', `session_end:${e.ended}`) },
  {
    when: (e) => e.reopened && isYoungerThan(e, recentWriteMs),
    result: () => derivedState('unknown', 'written_after_gone'),
  },
  { when: hasForeignProcess, result: () => derivedState('unknown', 'other_system') },
  { when: (e) => hasDeadProcess(e) && isOpen(e), result: () => derivedState('gone', 'killed_mid_turn') },
  { when: hasDeadProcess, result: (e) => derivedState('gone', `killed_after:${e.turn.detail}`) },
  // Takes precedence over every rule about silence: the process is known to have ended, whatever was written last.
  { when: (e) => e.processEnded && isOpen(e), result: () => derivedState('gone', 'exited_mid_turn') },
  { when: (e) => e.processEnded, result: (e) => derivedState('gone', `exited:${e.turn.detail}`) },
  {
    when: (e) => isUnregistered(e) && isYoungerThan(e, recentWriteMs),
    result: () => derivedState('unknown', 'unregistered_recent_write'),
  },
  { when: (e) => isUnregistered(e) && isOpen(e), result: () => derivedState('gone', 'exited_mid_turn') },
  { when: isUnregistered, result: (e) => derivedState('gone', `exited:${e.turn.detail}`) },
  {
    when: (e) => e.processInCwd,
    result: (e) =>
      derivedState(isOpen(e) ? 'running' : 'idle', e.turn.detail, { activity: waitingActivity(e), inferred: true }),
  },
  {
    when: (e) => e.ageMs !== null && e.ageMs >= staleTurnMs,
    result: (e) => derivedState('gone', `exited:${e.turn.detail}`, { inferred: true }),
  },
];

export function deriveSessionState(signals: SessionSignals): DerivedState {
  const rule = stateRules.find(({ when }) => when(signals));
  const derived = rule?.result(signals) ?? derivedState('unknown', 'no_liveness_evidence');
  return signals.rebound ? { ...derived, inferred: true } : derived;
}

/** A session as observed: its view without claims, and how many live processes serve it. */
export type SessionFacts = Omit<Session, 'claims' | 'overlaps'> & { processes: number };

type ObservationContext = { host: string; wall: number; locations: ReadonlyMap<string, GitLocation> };

/** Returns `before` itself where nothing changed. */
export function sessionFactsOf(
  before: SessionFacts | undefined,
  derived: DerivedState,
  observation: SessionObservation,
  context: ObservationContext,
): SessionFacts {
  const { binding, transcript, sessionId, scan } = observation;
  const entry = binding.entry;
  const cwd = transcript?.cwd ?? entry?.cwd ?? transcript?.launchCwd ?? before?.cwd ?? null;
  const location = cwd === null ? undefined : context.locations.get(cwd);
  const facts: SessionFacts = {
    sessionId,
    host: context.host,
    tool: scan.tool,
    cwd,
    launchCwd: transcript?.launchCwd ?? entry?.cwd ?? before?.launchCwd ?? null,
    state: derived.state,
    reason: derived.reason,
    activity: derived.activity,
    since: stateSince(before, derived, observation, context.wall),
    startedAt:
      isoOrNull(entry && !binding.rebound ? entry.startedAt : null) ??
      isoOrNull(transcript?.firstAt) ??
      before?.startedAt ??
      null,
    lastActivityAt: isoOrNull(lastActivity(entry, transcript)) ?? before?.lastActivityAt ?? null,
    branch: location?.branch ?? transcript?.branch ?? before?.branch ?? null,
    repository: location?.repository ?? null,
    tree: location?.root ?? null,
    pid: entry?.liveness === 'live' ? entry.pid : (observation.process?.pid ?? null),
    title: entry?.name ?? before?.title ?? null,
    inferred: derived.inferred,
    ...(transcript?.usage ?? usageOf(before)),
    live:
      derived.state !== 'gone' &&
      (derived.state !== 'unknown' || entry?.liveness === 'live' || observation.process !== null),
    processes: binding.processes,
  };
  return before && isSame(before, facts) ? before : facts;
}

const usageOf = (before: SessionFacts | undefined): SessionUsage => {
  if (!before) return noUsage;
  const { model, tokens, turns, contextPercent } = before;
  return { model, tokens, turns, contextPercent };
};

/** When the state began: reported by the tool, else observed by us, else the last activity. */
function stateSince(
  before: SessionFacts | undefined,
  derived: DerivedState,
  observation: SessionObservation,
  wall: number,
): string | null {
  const { entry } = observation.binding;
  if (entry?.liveness === 'live' && entry.status !== null && derived.state !== 'gone') {
    const reportedAt = isoOrNull(entry.statusUpdatedAt);
    if (reportedAt) return reportedAt;
  }
  if (before?.state === derived.state) return before.since;
  if (before) return iso(wall);
  return isoOrNull(lastActivity(entry, observation.transcript));
}

const lastActivity = (entry: RegistryEntry | null, transcript: Transcript | null): number | null => {
  const times = [entry?.statusUpdatedAt, transcript?.lastAt].filter((time) => typeof time === 'number');
  return times.length === 0 ? null : Math.max(...times);
};

/** Times come from files of other tools: invalid ones become null. */
const isoOrNull = (ms: number | null | undefined): string | null =>
  typeof ms === 'number' && Math.abs(ms) < 8.64e15 ? iso(ms) : null;

function isSame<Facts extends SessionFacts>(a: Facts, b: Facts): boolean {
  for (const key in b) if (a[key] !== b[key] && !(key === 'tokens' && sameTokens(a.tokens, b.tokens))) return false;
  return true;
}

const sameTokens = (a: SessionFacts['tokens'], b: SessionFacts['tokens']): boolean =>
  a?.input === b?.input && a?.cached === b?.cached && a?.output === b?.output;
