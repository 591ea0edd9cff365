import { withoutStamps } from '../recorded-run.ts';
import type { Started } from '../start.ts';

/** Everything that a data path of an earlier release must still serve. Nothing in it depends on time or place. */
const reads = [
  '/api/plans',
  '/api/plans?archived=true',
  '/api/plans/checkout',
  '/api/plans/checkout/status',
  '/api/plans/checkout/history',
  '/api/plans/checkout/document',
  '/api/plans/platform/history',
  '/api/plans/old/history',
  '/api/plans/ready',
  '/api/repositories',
  '/api/repositories/acme/shop',
  '/api/memory?q=prices',
  '/api/runs',
  '/api/runs/passed',
  '/api/runs/failed',
  '/api/runs/passed/export?format=ndjson',
  '/api/runs/failed/export?format=ctrf',
  '/api/event-model',
  '/api/event-model/coverage',
];

export async function servedBy({ call }: Started): Promise<Record<string, unknown>> {
  const served: Record<string, unknown> = {};
  for (const path of reads) {
    const { status, body } = await call('GET', path);
    served[path] = { status, body: lasting(body) };
  }
  return served;
}

/** Sentences for people may be improved, and exports name the version that wrote them. */
const passing = new Set(['why', 'says', 'toolVersion', 'generatedBy']);

export const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (passing.has(key) ? undefined : value)));

export const settings = { HostName: 'golden', RetentionDays: '0', RetentionRuns: '0' };

/**
 * Since then the previous claim is only in `lastClaim` of its node (contract-2 4). An export names the program that
 * writes it, which is this one, and contains what publishers sent without the console's own lines (contract-3 6). An
 * entry of the ready work names its holder only while there is one, as the interface requires.
 */
export function asServedNow(key: string, value: unknown): unknown {
  if (typeof value === 'string') return withoutStamps(value);
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'tool') {
    const { version, ...tool } = value as Record<string, unknown>;
    return tool;
  }
  if (key.startsWith('/api/plans/ready')) {
    const { body, ...rest } = value as { body: { claimedBy: string | null }[] };
    const held = ({ claimedBy, ...entry }: { claimedBy: string | null }) =>
      claimedBy === null ? entry : { ...entry, claimedBy };
    return { ...rest, body: body.map(held) };
  }
  if (key !== 'claim') return value;
  const { previous, ...claim } = value as Record<string, unknown>;
  return claim;
}
