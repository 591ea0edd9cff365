import type { Provenance, RecordedEvent } from '../../kernel/event-log.ts';

/** Eight-byte integers come as text. */
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
  data: unknown;
};

export const selectEvents =
  'SELECT sequence, stream, version, topic, id, type, at, by, provenance, data FROM signalbox.events';

export const recorded = (row: EventRow): RecordedEvent => ({
  ...row,
  sequence: Number(row.sequence),
  at: row.at.toISOString(),
});
