import type { EventIn, Recorded, RecordedEvent } from '../kernel/event-log.ts';
import { isOfKind, type StreamKind } from '../kernel/streams.ts';
import type { storedEvents } from './events.ts';

/** An event of that kind as stored in the log: a union, discriminated by `type`. */
export type StoredEvent<Kind extends StreamKind> = Recorded<EventIn<(typeof storedEvents)[Kind]>>;

/** The only place where data read from the log gets its type. Each room reads only its own events. */
export const isStored = <Kind extends StreamKind>(event: RecordedEvent, kind: Kind): event is StoredEvent<Kind> =>
  isOfKind(event, kind);
