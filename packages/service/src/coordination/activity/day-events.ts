import type { EventLog, RecordedEvent } from '../../kernel/event-log.ts';
import { SerialQueue } from '../../kernel/one-at-a-time.ts';
import { isStored } from '../stored-event.ts';

const mostEvents = 100_000;
const eventsAtOnce = 1_000;

/** Reading a day may hold a hundred thousand entries in memory, so callers take turns. */
const dayReads = new SerialQueue();

/** The results of `keep` for each event; only the newest results if there are too many. */
export const eventsSince = <Kept>(log: EventLog, at: string, keep: (event: RecordedEvent) => Kept | undefined) =>
  dayReads.run(async (): Promise<{ kept: readonly Kept[]; cut: boolean }> => {
    const kept: Kept[] = [];
    let cut = false;
    for (let next = await log.firstSince(at); ; ) {
      const piece = await log.readFrom(next, eventsAtOnce);
      for (const event of piece) {
        const one = keep(event);
        if (one !== undefined) kept.push(one);
      }
      if (kept.length > mostEvents) {
        kept.splice(0, kept.length - mostEvents);
        cut = true;
      }
      const last = piece.at(-1);
      if (!last) return { kept, cut };
      next = last.sequence + 1;
    }
  });

/** The event without its long texts; undefined if no report uses it. */
export function eventOfDay(event: RecordedEvent): RecordedEvent | undefined {
  const counts =
    isStored(event, 'claim') ||
    isStored(event, 'evidence') ||
    isStored(event, 'link') ||
    (isStored(event, 'plan') && (event.type === 'node_removed' || event.type === 'node_split'));
  if (!counts) return undefined;
  const isLong = (value: unknown) => typeof value === 'string' && value.length > longestName;
  const data = Object.entries(event.data).map(([name, value]) => [name, isLong(value) ? '' : value]);
  return { ...event, data: Object.fromEntries(data) };
}

/** Longer texts are notes, reasons and details, which no figure depends on. */
const longestName = 500;
