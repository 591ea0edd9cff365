import { monitorEventSchema } from '../console/runs/event-schema.ts';
import type { MachineDocument } from '../edge/docs-page.ts';

export type Reference = { title: string; address: string; documents: readonly MachineDocument[] };

export const schema = 'application/schema+json';
export const monitorEvents: MachineDocument = {
  path: '/api/monitor-events.schema.json',
  title: 'Monitor events',
  mediaType: schema,
  describe: monitorEventSchema,
};

/** How each port describes itself to people and programs. */
export const consoleReference: Reference = {
  title: 'Signalbox run console',
  address: 'http://localhost:5525',
  documents: [monitorEvents],
};
