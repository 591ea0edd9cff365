import type { Activity, SessionState } from './contract.ts';
import type { RegistryEntry } from './ports.ts';
import type { Turn } from './turn.ts';

/** Everything that is known of one session in one poll. Ages are milliseconds; null when nothing carries a time. */
export type SessionSignals = {
  /** The registry's note of it; null when it has none. */
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
  /** Written to after it had been found gone. */
  reopened: boolean;
  /** A process was seen serving it and does so no longer. */
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
  // Before every rule about silence: its process is known to have ended, whatever was written last.
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
