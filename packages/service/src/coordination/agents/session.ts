import type { Activity, SessionState } from './contract.ts';
import type { Entry } from './ports.ts';
import type { Turn } from './turn.ts';

/** Everything that is known of one session at one look. Ages are milliseconds; null when nothing carries a time. */
export type Evidence = {
  /** The registry's note of it; null when it has none. */
  entry: Pick<Entry, 'liveness' | 'status' | 'waitingFor'> | null;
  registry: 'clean' | 'degraded' | 'unused';
  turn: Turn;
  ageMs: number | null;
  /** How the process came to serve a newer session: `/clear`, `resume`, `fork`. */
  replaced: string | null;
  /** The process serves one of several newer sessions, and nobody can tell which. */
  rebindUnclear: boolean;
  /** The entry was tied to this session by conclusion: the registry still names an older one. */
  rebound: boolean;
  /** Cause told by the tool's own end-of-session hook, with nothing written since. */
  ended: string | null;
  /** Written to after it had been found gone. */
  reopened: boolean;
  /** Without a registry: a process of the tool stands in its directory, and no other session fits it better. */
  processInCwd: boolean;
  previous: Standing | null;
};

export type Standing = { state: SessionState; reason: string; activity: Activity | null; inferred: boolean };

/** Judgements, not measurements: a turn can be silent for ten minutes, a writer that is not registered rarely for one. */
export const recentWriteMs = 90_000;
export const staleTurnMs = 15 * 60_000;

type Row = { when: (e: Evidence) => boolean; is: (e: Evidence) => Standing };

const stands = (state: SessionState, reason: string, more: Partial<Standing> = {}): Standing => ({
  state,
  reason,
  activity: null,
  inferred: false,
  ...more,
});

const isLive = (e: Evidence) => e.entry?.liveness === 'live';
const hasStatus = (e: Evidence, status: string) => isLive(e) && e.entry?.status === status;
const noStatus = (e: Evidence) => isLive(e) && e.entry?.status === null;
const leftBehind = (e: Evidence) => e.entry !== null && !isLive(e);
const absent = (e: Evidence) => e.entry === null && e.registry !== 'unused';
const isOpen = (e: Evidence) => e.turn.state === 'open';
const isYounger = (e: Evidence, ms: number) => e.ageMs !== null && e.ageMs < ms;
const waits = (e: Evidence): Activity | null => (e.turn.waiting ? 'waiting' : null);
const endOfTurn = (e: Evidence) => (e.turn.state === 'closed' ? e.turn.what : 'turn_ended');

/** First match wins. The order is the point: what the tool says of itself beats every conclusion of ours. */
export const rows: readonly Row[] = [
  {
    when: (e) => e.registry === 'degraded' && e.entry === null && e.replaced === null,
    is: (e) => e.previous ?? stands('unknown', 'registry_degraded'),
  },
  { when: (e) => e.replaced !== null, is: (e) => stands('gone', `replaced:${e.replaced}`) },
  { when: (e) => e.rebindUnclear, is: () => stands('unknown', 'several_successors') },
  {
    when: (e) => hasStatus(e, 'busy'),
    is: (e) => stands('running', isOpen(e) ? e.turn.what : 'turn', { activity: isOpen(e) ? waits(e) : null }),
  },
  {
    when: (e) => hasStatus(e, 'waiting'),
    is: (e) => stands('running', `waiting:${e.entry?.waitingFor ?? 'user'}`, { activity: 'waiting' }),
  },
  { when: (e) => hasStatus(e, 'idle'), is: (e) => stands('idle', endOfTurn(e)) },
  {
    when: (e) => hasStatus(e, 'shell'),
    is: (e) => stands('idle', endOfTurn(e), { activity: 'background_shell' }),
  },
  {
    when: (e) => noStatus(e) && (e.turn.state === 'closed' || e.turn.state === 'none'),
    is: (e) => stands('idle', e.turn.what, { inferred: true }),
  },
  {
    when: (e) => noStatus(e) && isOpen(e) && isYounger(e, staleTurnMs),
    is: (e) => stands('running', e.turn.what, { activity: waits(e), inferred: true }),
  },
  {
    when: (e) => noStatus(e) && isOpen(e),
    is: () => stands('unknown', 'open_turn_stale', { inferred: true }),
  },
  { when: isLive, is: (e) => stands('unknown', e.turn.what, { inferred: true }) },
  { when: (e) => e.ended !== null, is: (e) => stands('gone', `session_end:${e.ended}`) },
  { when: (e) => e.reopened && isYounger(e, recentWriteMs), is: () => stands('unknown', 'written_after_gone') },
  { when: (e) => leftBehind(e) && isOpen(e), is: () => stands('gone', 'killed_mid_turn') },
  { when: leftBehind, is: (e) => stands('gone', `killed_after:${e.turn.what}`) },
  {
    when: (e) => absent(e) && isYounger(e, recentWriteMs),
    is: () => stands('unknown', 'unregistered_recent_write'),
  },
  { when: (e) => absent(e) && isOpen(e), is: () => stands('gone', 'exited_mid_turn') },
  { when: absent, is: (e) => stands('gone', `exited:${e.turn.what}`) },
  {
    when: (e) => e.processInCwd,
    is: (e) => stands(isOpen(e) ? 'running' : 'idle', e.turn.what, { activity: waits(e), inferred: true }),
  },
  {
    when: (e) => e.ageMs !== null && e.ageMs >= staleTurnMs,
    is: (e) => stands('gone', `exited:${e.turn.what}`, { inferred: true }),
  },
];

export function standingOf(evidence: Evidence): Standing {
  const row = rows.find(({ when }) => when(evidence));
  const standing = row?.is(evidence) ?? stands('unknown', 'no_liveness_evidence');
  return evidence.rebound ? { ...standing, inferred: true } : standing;
}
