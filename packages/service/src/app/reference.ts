import { planDocumentSchema } from '../coordination/plans/document-schema.ts';
import { coordinationCommands } from '../coordination/registry.ts';
import { asyncApiOf } from '../edge/asyncapi.ts';
import { monitorEvents, type Reference, schema } from './console-reference.ts';
import { version } from './version.ts';

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
          coordinationCommands,
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
