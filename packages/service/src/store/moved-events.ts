import type { RecordedEvent } from '../kernel/event-log.ts';
import { checksummedId, DamagedStore, isIntact } from './event-checksum.ts';
import { type RawEvent, rawEventIn, recordedEvent } from './raw-event.ts';

/** The first and the last number of consecutive sequences. */
type SequenceRange = readonly [first: number, last: number];

/** Replaces the last event of a plan that was moved into the archive, and names the missing events. */
export const movedType = 'plan_moved';
type MovedData = { sequences: readonly SequenceRange[]; events: number };

/** All events of a plan, as read for the move, and the event that replaces them in the log. */
export type TopicToMove = { events: readonly RawEvent[]; last: number; marker: RawEvent };

/** Null if there is nothing to move. Throws if an event differs from what was written, because damaged events must not be moved. */
export function topicToMove(topic: string, rows: readonly RawEvent[]): TopicToMove | null {
  const events = rows.filter(({ type }) => type !== movedType);
  const [last] = rows.slice(-1);
  if (!last || events.length === 0) return null;
  for (const event of events) {
    if (!isWhole(event)) throw new DamagedStore(`event ${event.sequence} differs from what was written`);
  }
  const before = rows.filter(({ type }) => type === movedType).flatMap(({ data }) => rangesOf(data));
  const single = rows.slice(0, -1).map(({ sequence }): SequenceRange => [sequence, sequence]);
  const data = JSON.stringify({ sequences: joined([...before, ...single]), events: events.length } satisfies MovedData);
  const version = Math.max(1, ...rows.filter(({ stream }) => stream === topic).map((row) => row.version));
  const { sequence, at } = last;
  const content = {
    stream: topic,
    version,
    topic,
    type: movedType,
    at,
    by: 'service',
    provenance: 'asserted' as const,
  };
  return { events, last: sequence, marker: { sequence, ...content, id: checksummedId(content, data), data } };
}

/** The archive of moved events, by name; once written they are on disk. */
export type ArchiveFiles = { write(name: string, text: string): Promise<void>; read(name: string): Promise<string> };

/** One line for each event, its data as an object. */
export const archiveText = (events: readonly RawEvent[]): string =>
  events.map((event) => `${JSON.stringify({ ...event, data: JSON.parse(event.data) })}\n`).join('');

/** Throws if a line differs from what was written. */
export function readArchiveText(text: string): RecordedEvent[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    const event = lineOf(line);
    if (!event || !isWhole(event))
      throw new DamagedStore(`line ${index + 1} of the archive differs from what was written`);
    return [recordedEvent(event)];
  });
}

function lineOf(line: string): RawEvent | null {
  try {
    const { data, ...rest } = JSON.parse(line);
    return rawEventIn({ ...rest, data: JSON.stringify(data) });
  } catch {
    return null;
  }
}

const isWhole = (event: RawEvent): boolean => isIntact(event.id, event, event.data);

/** The data of a `plan_moved` event, whose checksum was already checked. */
function rangesIn(data: unknown): SequenceRange[] {
  const { sequences }: Partial<Record<string, unknown>> = { ...Object(data) };
  const isRange = (range: unknown): range is SequenceRange =>
    Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger);
  if (Array.isArray(sequences) && sequences.every(isRange)) return sequences;
  throw new DamagedStore('the record of events moved out of the log is missing');
}

/** The sequences in the stored data of a `plan_moved`. */
export const rangesOf = (data: string): SequenceRange[] => rangesIn(JSON.parse(data));

/** The only gaps of the log are plans that were moved away, and an event after each gap records it. */
export class GapCheck {
  #last: number;
  readonly #missing: SequenceRange[] = [];
  readonly #moved: SequenceRange[] = [];

  constructor(after: number) {
    this.#last = after;
  }

  read({ sequence, type, data }: RecordedEvent): void {
    if (sequence > this.#last + 1) this.#missing.push([this.#last + 1, sequence - 1]);
    this.#last = sequence;
    if (type === movedType) this.#moved.push(...rangesIn(data));
  }

  /** Everything was read. */
  end(): void {
    if (this.#missing.length === 0) return;
    const moved = joined(this.#moved);
    let at = 0;
    for (const [first, last] of this.#missing) {
      while ((moved[at]?.[1] ?? Number.POSITIVE_INFINITY) < first) at += 1;
      const [from, to] = moved[at] ?? [0, 0];
      if (from > first || to < first) throw new DamagedStore(`event ${first} is missing`);
      if (to < last) throw new DamagedStore(`event ${to + 1} is missing`);
    }
  }
}

/** The sequences as the smallest number of ranges, in order. */
function joined(ranges: readonly SequenceRange[]): SequenceRange[] {
  const all: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([one], [other]) => one - other)) {
    const end = all.at(-1);
    if (end && first <= end[1] + 1) end[1] = Math.max(end[1], last);
    else all.push([first, last]);
  }
  return all;
}
