import { z } from 'zod';
import type { Recorded } from '../../kernel/event-log.ts';
import { isTold, sayings } from './sayings.ts';

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

export const strands = ['authoring', 'claims', 'evidence'] as const;
export type Strand = (typeof strands)[number];

/** A plan's whole story: its own events and those of its nodes' claims and evidence, numbered from 1. */
export function tellHistory(events: readonly Recorded[]): HistoryEntry[] {
  let version = 0;
  const told: HistoryEntry[] = [];
  for (const event of events) {
    if (strandOf(event.type) === undefined) continue;
    if (event.stream.startsWith('plan:')) version = event.version;
    const { type, by, at, provenance } = event;
    const data = event.data as Record<string, unknown>;
    told.push({ sequence: told.length + 1, version, type, by, at, provenance, data, says: sayings(type, by, data) });
  }
  return told;
}

const claimTypes = new Set(['node_claimed', 'claim_reported', 'claim_released', 'claim_expired']);
const evidenceTypes = new Set(['evidence_observed', 'node_signed_off']);

/** Nothing for what is no part of the story. */
export function strandOf(type: string): Strand | undefined {
  if (claimTypes.has(type)) return 'claims';
  if (evidenceTypes.has(type)) return 'evidence';
  return isTold(type) ? 'authoring' : undefined;
}
