import { iso } from '../../kernel/clock.ts';
import type { Session } from './contract.ts';
import { type GitLocation, noUsage, type RegistryEntry, type SessionUsage, type Transcript } from './ports.ts';
import type { SessionObservation } from './session-observation.ts';
import type { DerivedState } from './session-state.ts';

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
