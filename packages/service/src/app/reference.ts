import { monitorEventSchema } from '../console/runs/event-schema.ts';
import { planDocumentSchema } from '../coordination/plans/document-schema.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import { asyncApiOf } from '../edge/asyncapi.ts';
import type { MachineDocument } from '../edge/docs-page.ts';
import type { AnyCommand } from '../kernel/command.ts';
import { version } from './version.ts';

type Reference = { title: string; address: string; documents: readonly MachineDocument[] };

const schema = 'application/schema+json';
const monitorEvents: MachineDocument = {
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

const coordination = { title: 'Signalbox coordination', address: 'http://localhost:5526' };

export const coordinationReference: Reference = {
  ...coordination,
  documents: [
    {
      path: '/api/asyncapi.json',
      title: 'AsyncAPI',
      describe: () =>
        asyncApiOf(
          { title: `${coordination.title}: messages`, version, server: coordination.address },
          coordinationCommands as readonly AnyCommand<never>[],
        ),
    },
    {
      path: '/api/plan-document.schema.json',
      title: 'Plan documents',
      mediaType: schema,
      describe: planDocumentSchema,
    },
    monitorEvents,
  ],
};
