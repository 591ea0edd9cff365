import type { Append, RecordedEvent } from '../kernel/event-log.ts';
import { checksummedId } from './event-checksum.ts';
import { storable } from './storable.ts';
import type { StreamVersions } from './versions.ts';

/** An event about to be kept, with its data as the JSON text that is stored. */
export type StampedEvent = { event: RecordedEvent; text: string };

/**
 * Numbers and stamps what a decision appends. The event carries its names as a store can keep them and its data as read
 * back from the text, so that what is folded now is what a restart will fold.
 */
export function stampEvents(
  appends: readonly Append[],
  at: string,
  versions: StreamVersions,
  lastSequence: number,
): StampedEvent[] {
  const reached = new Map<string, number>();
  let sequence = lastSequence;
  return appends.flatMap(({ stream: named, topic = named, events }) => {
    const stream = storable(named);
    return events.map(({ type, data, by, provenance = 'asserted' }) => {
      const version = (reached.get(stream) ?? versions.of(stream)) + 1;
      reached.set(stream, version);
      sequence += 1;
      const text = JSON.stringify(data ?? null);
      const content = { stream, version, topic: storable(topic), type, at, by: storable(by), provenance };
      const event = { sequence, ...content, id: checksummedId(content, text) };
      return { text, event: { ...event, data: JSON.parse(text) } };
    });
  });
}
