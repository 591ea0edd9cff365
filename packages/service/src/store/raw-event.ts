/** An event as a store keeps it, its data as the text that was written: for moving it without touching it. */
export type RawEvent = {
  sequence: number;
  stream: string;
  version: number;
  topic: string;
  id: string;
  type: string;
  at: string;
  by: string;
  provenance: string;
  data: string;
};

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
