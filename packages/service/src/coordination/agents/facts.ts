import { iso } from '../../kernel/clock.ts';
import type { Session } from './contract.ts';
import type { Entry, Place, Transcript } from './ports.ts';
import type { Standing } from './session.ts';
import type { Sighting } from './sighting.ts';

/** A session as the observer knows it: its view without claims, and how many living processes serve it. */
export type SessionFacts = Omit<Session, 'claims'> & { live: boolean; processes: number };

type Seen = { host: string; wall: number; places: ReadonlyMap<string, Place> };

/** The same object again where nothing reads differently. */
export function factsOf(
  before: SessionFacts | undefined,
  standing: Standing,
  sighting: Sighting,
  look: Seen,
): SessionFacts {
  const { binding, transcript, sessionId, scan } = sighting;
  const entry = binding.entry;
  const cwd = transcript?.cwd ?? entry?.cwd ?? transcript?.launchCwd ?? before?.cwd ?? null;
  const place = cwd === null ? undefined : look.places.get(cwd);
  const facts: SessionFacts = {
    sessionId,
    host: look.host,
    tool: scan.tool,
    cwd,
    launchCwd: transcript?.launchCwd ?? entry?.cwd ?? before?.launchCwd ?? null,
    state: standing.state,
    reason: standing.reason,
    activity: standing.activity,
    since: sinceOf(before, standing, sighting, look.wall),
    startedAt:
      text(entry && !binding.rebound ? entry.startedAt : null) ??
      text(transcript?.firstAt) ??
      before?.startedAt ??
      null,
    lastActivityAt: text(lastActivity(entry, transcript)) ?? before?.lastActivityAt ?? null,
    branch: place?.branch ?? transcript?.branch ?? before?.branch ?? null,
    repository: place?.repository ?? null,
    tree: place?.root ?? null,
    pid: entry?.liveness === 'live' ? entry.pid : null,
    title: entry?.name ?? before?.title ?? null,
    inferred: standing.inferred,
    live: standing.state !== 'gone' && (standing.state !== 'unknown' || entry?.liveness === 'live'),
    processes: binding.processes,
  };
  return before && isSame(before, facts) ? before : facts;
}

/** When it came to stand so: told by the tool, else seen by us, else the last sign of life. */
function sinceOf(
  before: SessionFacts | undefined,
  standing: Standing,
  sighting: Sighting,
  wall: number,
): string | null {
  const { entry } = sighting.binding;
  if (entry?.liveness === 'live' && entry.status !== null && standing.state !== 'gone') {
    const told = text(entry.statusUpdatedAt);
    if (told) return told;
  }
  if (before?.state === standing.state) return before.since;
  if (before) return iso(wall);
  return text(lastActivity(entry, sighting.transcript));
}

const lastActivity = (entry: Entry | null, transcript: Transcript | null): number | null => {
  const times = [entry?.statusUpdatedAt, transcript?.lastAt].filter((time) => typeof time === 'number');
  return times.length === 0 ? null : Math.max(...times);
};

/** Times come from files of others: what is no time is left out. */
const text = (ms: number | null | undefined): string | null =>
  typeof ms === 'number' && Math.abs(ms) < 8.64e15 ? iso(ms) : null;

const isSame = (a: SessionFacts, b: SessionFacts): boolean =>
  (Object.keys(b) as (keyof SessionFacts)[]).every((key) => a[key] === b[key]);
