import { z } from 'zod';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { hasSentence, sentenceFor } from './event-sentences.ts';

export const historyEntry = z.object({
  sequence: z.int(),
  version: z.int(),
  type: z.string(),
  by: z.string(),
  at: z.string(),
  provenance: z.enum(['observed', 'asserted']),
  data: z.looseObject({}),
  says: z.string(),
});
export type HistoryEntry = z.output<typeof historyEntry>;

export const historyKinds = ['authoring', 'claims', 'evidence'] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** A plan's whole history: its own events and those of its nodes' claims and evidence, numbered from 1. */
export function describeHistory(events: readonly RecordedEvent[]): HistoryEntry[] {
  let version = 0;
  const entries: HistoryEntry[] = [];
  for (const event of events) {
    if (historyKindOf(event.type) === undefined) continue;
    if (event.stream.startsWith('plan:')) version = event.version;
    const { type, by, at, provenance } = event;
    const data = event.data as Record<string, unknown>;
    entries.push({
      sequence: entries.length + 1,
      version,
      type,
      by,
      at,
      provenance,
      data,
      says: sentenceFor(type, by, data),
    });
  }
  return entries;
}

const claimTypes = new Set(['node_claimed', 'claim_reported', 'claim_released', 'claim_expired']);
const evidenceTypes = new Set(['evidence_observed', 'node_signed_off']);

/** Undefined for events that are not part of the history. */
export function historyKindOf(type: string): HistoryKind | undefined {
  if (claimTypes.has(type)) return 'claims';
  if (evidenceTypes.has(type)) return 'evidence';
  return hasSentence(type) ? 'authoring' : undefined;
}
