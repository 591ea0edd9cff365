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
  const stamped: StampedEvent[] = [];
  const reached = new Map<string, number>();
  let sequence = lastSequence;
  for (const { stream: named, topic: told = named, events } of appends) {
    const [stream, topic] = [storable(named), storable(told)];
    let version = reached.get(stream) ?? versions.of(stream);
    for (const { type, data, by: label, provenance = 'asserted' } of events) {
      version += 1;
      sequence += 1;
      const by = storable(label);
      const text = JSON.stringify(data ?? null);
      const id = checksummedId({ stream, version, topic, type, at, by, provenance }, text);
      const event = { sequence, stream, version, topic, type, at, by, provenance, id, data: asStored(data, text) };
      stamped.push({ text, event });
    }
    reached.set(stream, version);
  }
  return stamped;
}

/** What JSON gives back of an object without objects is that object, unless it holds something JSON has no word for. */
function asStored(data: unknown, text: string): unknown {
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return JSON.parse(text);
  for (const value of Object.values(data)) if (!isKept(value)) return JSON.parse(text);
  return { ...data };
}

const isKept = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0));
