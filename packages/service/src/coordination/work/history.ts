import { z } from 'zod';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { ours } from '../../kernel/schema-marks.ts';
import { isOfKind } from '../../kernel/streams.ts';
import { claimSentence } from '../claims/event-sentences.ts';
import { evidenceSentence } from '../evidence/event-sentences.ts';
import { planSentence } from '../plans/event-sentences.ts';
import { isStored } from '../stored-event.ts';

export const historyEntry = z.object({
  sequence: z.int(),
  version: z.int(),
  type: ours(z.string()),
  by: z.string(),
  at: z.string(),
  provenance: z.enum(['observed', 'asserted']),
  data: z.looseObject({}),
  says: z.string(),
});
export type HistoryEntry = z.output<typeof historyEntry>;

export const historyKinds = ['authoring', 'claims', 'evidence'] as const;
type HistoryKind = (typeof historyKinds)[number];

/** A plan's whole history: its own events and those of its nodes' claims and evidence, numbered from 1. */
export function describeHistory(events: readonly RecordedEvent[]): { kind: HistoryKind; entry: HistoryEntry }[] {
  let version = 0;
  const entries: { kind: HistoryKind; entry: HistoryEntry }[] = [];
  for (const event of events) {
    const described = describe(event);
    if (described?.says === undefined) continue;
    if (isOfKind(event, 'plan')) version = event.version;
    const { type, by, at, provenance } = event;
    const { kind, says, data } = described;
    const entry = { sequence: entries.length + 1, version, type, by, at, provenance, data: { ...data }, says };
    entries.push({ kind, entry });
  }
  return entries;
}

type Described = { kind: HistoryKind; says: string | undefined; data: object };

/** Undefined for events that are not part of the history. */
function describe(event: RecordedEvent): Described | undefined {
  if (isStored(event, 'plan')) return { kind: 'authoring', says: planSentence(event), data: event.data };
  if (isStored(event, 'claim')) return { kind: 'claims', says: claimSentence(event), data: event.data };
  if (isStored(event, 'evidence')) return { kind: 'evidence', says: evidenceSentence(event), data: event.data };
  return undefined;
}
