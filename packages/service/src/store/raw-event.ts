import type { RecordedEvent } from '../kernel/event-log.ts';
import { DamagedStore } from './event-checksum.ts';

/** An event as a store keeps it, with its data as the written text: for moving it unchanged. */
export type RawEvent = RecordedEvent<string, string>;

export type RawKey = { key: string; fingerprint: string; at: string; answer: string | null };

export const rawEventColumns = [
  'sequence',
  'stream',
  'version',
  'topic',
  'id',
  'type',
  'at',
  'by',
  'provenance',
  'data',
] as const satisfies readonly (keyof RawEvent)[];

type Row = Readonly<Record<string, unknown>>;

/** A row of a table of events, or a line of an archive: the only place where such data gets its type. */
export function rawEventIn({ sequence, stream, version, topic, id, type, at, by, provenance, data }: Row): RawEvent {
  if (
    typeof sequence === 'number' &&
    typeof stream === 'string' &&
    typeof version === 'number' &&
    typeof topic === 'string' &&
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof at === 'string' &&
    typeof by === 'string' &&
    (provenance === 'observed' || provenance === 'asserted') &&
    typeof data === 'string'
  )
    return { sequence, stream, version, topic, id, type, at, by, provenance, data };
  throw new DamagedStore(`event ${sequence} differs from what was written`);
}

/** A row of a stored key. */
export function rawKeyIn({ key, fingerprint, at, answer }: Row): RawKey {
  const isText = typeof key === 'string' && typeof fingerprint === 'string' && typeof at === 'string';
  if (isText && (answer === null || typeof answer === 'string')) return { key, fingerprint, at, answer };
  throw new DamagedStore(`the key ${key} differs from what was written`);
}

export const recordedEvent = (raw: RawEvent): RecordedEvent => ({ ...raw, data: JSON.parse(raw.data) });
