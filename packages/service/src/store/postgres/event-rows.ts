import type { Provenance, RecordedEvent } from '../../kernel/event-log.ts';
import { DamagedStore, isIntact } from '../event-checksum.ts';

/** Eight-byte integers come as text; the data comes as the text that was written. */
export type EventRow = {
  sequence: string;
  stream: string;
  version: number;
  topic: string;
  id: string;
  type: string;
  at: Date;
  by: string;
  provenance: Provenance;
  data: string;
};

export const eventColumns = 'sequence, stream, version, topic, id, type, at, by, provenance, data::text AS data';

export function recorded({
  sequence,
  stream,
  version,
  topic,
  id,
  type,
  at,
  by,
  provenance,
  data,
}: EventRow): RecordedEvent {
  const event = { sequence: Number(sequence), stream, version, topic, id, type, at: at.toISOString(), by, provenance };
  if (!isIntact(id, event, data)) throw new DamagedStore(`event ${sequence} differs from what was written`);
  return { ...event, data: JSON.parse(data) };
}
