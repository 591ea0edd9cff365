import { rules } from './rules.ts';

export const machineDocuments = [
  ...rules('contract-3 5', {
    'openapi:components': 'GET /api/openapi.json names what answers share: Node, Claim, Run, Plan, Session and others.',
    'openapi:one-status': 'GET /api/openapi.json lists each answer under the status that it has, never under 2XX.',
    'openapi:headers': 'GET /api/openapi.json lists the headers that calls take and answers carry.',
    'openapi:describes-the-wire':
      'What the work loop sends and answers fits the schemas of GET /api/openapi.json, refusals included.',
    'asyncapi:hub-and-socket':
      'GET /api/asyncapi.json describes the messages of the hub and the calls on a socket, as they are sent.',
    'monitor-schema:served':
      'GET /api/monitor-events.schema.json describes what POST /api/ingest takes, with the words for outcomes.',
    'docs:links-documents': 'GET /api/docs links every description for programs.',
    'well-known:not-the-page':
      'A path below /.well-known answers 404 as a problem on both ports, with or without a token, never the page.',
    'auth:www-authenticate': 'A refusal for want of a token carries `WWW-Authenticate: Bearer`.',
  }),
];
