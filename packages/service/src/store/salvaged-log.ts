import { streams } from '../kernel/streams.ts';
import { checksummedId } from './event-checksum.ts';
import { movedType, rangesOf } from './moved-events.ts';
import type { RawEvent } from './raw-event.ts';

/** An event that could not be read. Its stream is known if the row names it, or if a version of the stream is missing. */
export type LostEvent = { sequence: number; stream: string | null };

export type SalvagedLog = { events: RawEvent[]; lost: LostEvent[] };

type Damaged = ReadonlyMap<number, { stream: string | null }>;

/** The events of a log that can be read, in order, and the ones that cannot. */
export function salvageLog(found: ReadonlyMap<number, RawEvent>, damaged: Damaged, newest: number): SalvagedLog {
  const moved = [...found.values()].filter(({ type }) => type === movedType).flatMap(({ data }) => rangesOf(data));
  const isMoved = (sequence: number) => moved.some(([first, last]) => sequence >= first && sequence <= last);
  // A page that was freed may still hold events that were moved into the archive.
  const kept = new Map([...found].filter(([sequence, { type }]) => type === movedType || !isMoved(sequence)));
  putBack(kept, newest, isMoved);
  const events = [...kept.values()]
    .filter(({ sequence }) => sequence <= newest)
    .sort((one, other) => one.sequence - other.sequence);
  return { events, lost: lostOf(events, damaged, newest, isMoved) };
}

/** The checksum of an event does not cover its sequence. If one bit of a sequence was changed, there is a gap one bit away. */
function putBack(kept: Map<number, RawEvent>, newest: number, isMoved: (sequence: number) => boolean): void {
  const ordered = [...kept.values()].sort((one, other) => one.sequence - other.sequence);
  const highest = new Map<string, number>();
  let at = '';
  for (const event of ordered) {
    const isBehind = event.version <= (highest.get(event.stream) ?? 0) || event.at < at || event.sequence > newest;
    if (!isBehind) {
      highest.set(event.stream, event.version);
      at = event.at;
      continue;
    }
    const gap = oneBitAway(event.sequence).find(
      (sequence) => sequence <= newest && !kept.has(sequence) && !isMoved(sequence),
    );
    if (gap === undefined || !fits(kept, event, gap)) continue;
    kept.delete(event.sequence);
    kept.set(gap, { ...event, sequence: gap });
  }
}

const oneBitAway = (sequence: number): number[] =>
  Array.from({ length: 40 }, (_, bit) => {
    const value = 2 ** bit;
    return Math.floor(sequence / value) % 2 === 1 ? sequence - value : sequence + value;
  }).filter((other) => other > 0);

function fits(kept: ReadonlyMap<number, RawEvent>, { at }: RawEvent, gap: number): boolean {
  const [before, after] = [kept.get(gap - 1), kept.get(gap + 1)];
  return (!before || before.at <= at) && (!after || at <= after.at);
}

function lostOf(
  events: readonly RawEvent[],
  damaged: Damaged,
  newest: number,
  isMoved: (sequence: number) => boolean,
): LostEvent[] {
  const there = new Set(events.map(({ sequence }) => sequence));
  const lost: LostEvent[] = [];
  for (let sequence = 1; sequence <= newest; sequence += 1) {
    if (there.has(sequence) || isMoved(sequence)) continue;
    lost.push({ sequence, stream: damaged.get(sequence)?.stream ?? null });
  }
  nameStreams(events, lost);
  return lost;
}

/** A stream without one of its versions has lost an event between its neighbours, even if nothing else of the event is left. */
function nameStreams(events: readonly RawEvent[], lost: LostEvent[]): void {
  const last = new Map<string, RawEvent>();
  for (const event of events) {
    const before = last.get(event.stream);
    last.set(event.stream, event);
    if (event.type === movedType || event.version <= (before?.version ?? 0) + 1) continue;
    const from = before?.sequence ?? 0;
    const unknown = lost.find(
      ({ sequence, stream }) => stream === null && sequence > from && sequence < event.sequence,
    );
    if (unknown) unknown.stream = event.stream;
  }
}

/** Marks lost events, so that a start does not mistake the gap for damage. */
export function lostMarker(events: readonly RawEvent[], lost: readonly LostEvent[], at: string): RawEvent | null {
  const sequences = lost.map(({ sequence }) => sequence);
  if (sequences.length === 0) return null;
  const last = Math.max(events.at(-1)?.sequence ?? 0, ...sequences);
  const version = 1 + Math.max(0, ...events.flatMap((event) => (event.stream === streams.lost ? [event.version] : [])));
  const data = JSON.stringify({ sequences: rangesIn(sequences), events: sequences.length });
  const content = {
    stream: streams.lost,
    version,
    topic: streams.lost,
    type: movedType,
    at,
    by: 'service',
    provenance: 'asserted' as const,
  };
  return { sequence: last + 1, ...content, id: checksummedId(content, data), data };
}

function rangesIn(sequences: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const sequence of sequences) {
    const end = ranges.at(-1);
    if (end && sequence === end[1] + 1) end[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}
