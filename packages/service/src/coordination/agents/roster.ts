import { factsOf, type SessionFacts } from './facts.ts';
import type { Notes } from './hooks.ts';
import type { Place, Scan } from './ports.ts';
import { type Standing, standingOf } from './session.ts';
import { type Sighting, sightingsOf, sourceOf } from './sighting.ts';
import { noTurn, type Turn } from './turn.ts';

/** Wall time for ages, monotonic time for the pause between two looks. */
export type At = { wall: number; monotonic: number };

export type Look = {
  host: string;
  scans: readonly Scan[];
  places: ReadonlyMap<string, Place>;
  notes: Notes;
  at: At;
};

type Known = {
  facts: SessionFacts;
  source: string;
  turn: Turn;
  /** The first of two looks that found it gone. */
  missedAt: number | null;
  /** Its newest record when it was called gone: a later one reopens it. */
  recordAtEnd: number | null;
  /** Since when nothing of it is left to see. */
  tracelessAt: number | null;
  /** What it was last concluded from. */
  sighting: Sighting;
  place: Place | undefined;
};

/** Two looks before `gone`, this far apart: one look may fall between the lines. */
const confirmMs = 900;
/** How long a session that left no file stays on the board. */
const tracelessMs = 24 * 60 * 60_000;

export type Roster = {
  /** The same array again until something moved. */
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  /** Takes in one look at everything; answers which sessions read differently now. */
  observe(look: Look): string[];
};

export function createRoster(): Roster {
  const known = new Map<string, Known>();
  const sources = () => [...known].map(([id, { source }]) => [id, source] as const);
  let sessions: readonly SessionFacts[] = [];
  return {
    sessions: () => sessions,
    get: (sessionId) => known.get(sessionId)?.facts,
    observe(look) {
      const moved = new Set<string>();
      for (const [sessionId, sighting] of sightingsOf(look.scans, look.notes.starts, sources())) {
        const before = known.get(sessionId);
        const after = next(before, sighting, look);
        if (after) known.set(sessionId, after);
        else known.delete(sessionId);
        if (after?.facts !== before?.facts) moved.add(sessionId);
      }
      if (moved.size > 0) sessions = [...known.values()].map(({ facts }) => facts);
      return [...moved];
    },
  };
}

function next(before: Known | undefined, sighting: Sighting, look: Look): Known | null {
  const { at } = look;
  if (before && isSettled(before, sighting, look)) return before;
  const traceless = sighting.transcript === null && sighting.binding.entry === null;
  const tracelessAt = traceless ? (before?.tracelessAt ?? at.monotonic) : null;
  if (tracelessAt !== null && at.monotonic - tracelessAt > tracelessMs) return null;

  const turn = sighting.transcript?.turn ?? before?.turn ?? noTurn;
  const standing = derive(before, sighting, turn, look);
  const missed = standing.state === 'gone' && before !== undefined && before.facts.state !== 'gone';
  const missedAt = missed ? (before.missedAt ?? sighting.scan.lookedAt) : null;
  const waitForSecondLook = missedAt !== null && sighting.scan.lookedAt - missedAt < confirmMs;
  const published = waitForSecondLook && before ? before.facts : standing;
  const lastAt = sighting.transcript?.lastAt ?? null;
  return {
    facts: factsOf(before?.facts, published, sighting, { ...look, wall: at.wall }),
    source: sourceOf(sighting.scan),
    turn,
    missedAt,
    tracelessAt,
    sighting,
    place: look.places.get(sighting.transcript?.cwd ?? ''),
    recordAtEnd: published.state === 'gone' ? (lastAt ?? at.wall) : (before?.recordAtEnd ?? null),
  };
}

/** A session that is gone stays so until something new is seen of it: most are, and a look must cost little. */
function isSettled(before: Known, { transcript, binding, scan }: Sighting, look: Look): boolean {
  if (before.facts.state !== 'gone' || transcript === null || scan.registry !== 'clean') return false;
  const last = before.sighting;
  return (
    last.scan.registry === 'clean' &&
    last.transcript === transcript &&
    last.binding.entry === binding.entry &&
    last.binding.replaced === binding.replaced &&
    last.binding.unclear === binding.unclear &&
    before.place === look.places.get(transcript.cwd ?? '')
  );
}

function derive(before: Known | undefined, sighting: Sighting, turn: Turn, look: Look): Standing {
  const { binding, transcript, scan, sessionId } = sighting;
  const lastAt = transcript?.lastAt ?? null;
  // Where no registry tells, silence alone does, and that of a session whose file was removed goes on.
  const lastSign = lastAt ?? (scan.registry === 'unused' ? lastSignOf(before) : null);
  const ended = look.notes.ends.get(sessionId);
  const recordAtEnd = before?.recordAtEnd ?? null;
  return standingOf({
    entry: binding.entry,
    registry: scan.registry,
    turn,
    ageMs: lastSign === null ? null : look.at.wall - lastSign,
    replaced: binding.replaced,
    rebindUnclear: binding.unclear,
    rebound: binding.rebound,
    ended: ended && (lastAt === null || lastAt <= ended.at) ? ended.reason : null,
    reopened: recordAtEnd !== null && lastAt !== null && lastAt > recordAtEnd,
    processInCwd: scan.registry === 'unused' && fitsProcess(sighting),
    previous: before?.facts ?? null,
  });
}

const lastSignOf = (before: Known | undefined): number | null =>
  before?.facts.lastActivityAt ? Date.parse(before.facts.lastActivityAt) : null;

/** Without a registry a process is tied to the newest session of its directory, if it is the only process there. */
function fitsProcess({ scan, transcript }: Sighting): boolean {
  const cwd = transcript?.cwd;
  if (!cwd || scan.processCwds.filter((one) => one === cwd).length !== 1) return false;
  return scan.transcripts.every(
    (other) => other === transcript || other.cwd !== cwd || (other.lastAt ?? 0) < (transcript.lastAt ?? 0),
  );
}
