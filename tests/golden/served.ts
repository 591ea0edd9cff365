import type { Started } from '../start.ts';

/** Everything that a data path of the past must still serve. Nothing in it depends on when or where it is asked. */
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

/** Sentences for people may be told better, and exports name the version that wrote them. */
const passing = new Set(['why', 'says', 'toolVersion', 'generatedBy']);

const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (passing.has(key) ? undefined : value)));

export const settings = { HostName: 'golden', RetentionDays: '0', RetentionRuns: '0' };
