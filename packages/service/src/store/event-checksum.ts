import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RecordedEvent } from '../kernel/event-log.ts';
import { RefusedError, refuse } from '../kernel/outcome.ts';

type EventContent = Pick<RecordedEvent, 'stream' | 'version' | 'topic' | 'type' | 'at' | 'by' | 'provenance'>;

/** The content of the store differs from what was written, so the store must not be used. */
export class DamagedStore extends RefusedError {
  /** The damage alone, without the next step. */
  readonly damage: string;

  constructor(damage: string, cause?: unknown) {
    const next =
      'Nothing was changed. Restore a backup, or stop the service and run "signalbox recover" to keep every event that can be read.';
    super(refuse('store_unavailable', `The store is damaged: ${damage}. ${next}`));
    this.name = 'DamagedStore';
    this.damage = damage;
    this.cause = cause;
  }
}

const checksumStart = 28;

function checksumOf(
  start: string,
  { stream, version, topic, type, at, by, provenance }: EventContent,
  text: string,
): string {
  const whole = JSON.stringify([start, stream, version, topic, type, at, by, provenance, text]);
  return crc32(whole).toString(16).padStart(8, '0');
}

/** A UUID of version 8: its last 32 bits are a checksum of the event, the others are random. */
export function checksummedId(content: EventContent, text: string): string {
  const id = randomUUID();
  const start = `${id.slice(0, 14)}8${id.slice(15, checksumStart)}`;
  return start + checksumOf(start, content, text);
}

/** Events written before checksums existed have ids of version 4 and are accepted unchecked. */
export const isIntact = (id: string, content: EventContent, text: string): boolean =>
  id[14] === '4' || id.slice(checksumStart) === checksumOf(id.slice(0, checksumStart), content, text);
