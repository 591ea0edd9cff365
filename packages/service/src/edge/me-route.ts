import type { FastifyInstance } from 'fastify';
import { allScopes, type Installation, type Me, scopes } from '../kernel/access.ts';
import { type AccessPolicy, originOf } from './admission.ts';
import { json } from './extra-routes.ts';
import type { ExtraRoute } from './openapi.ts';

export function addMe(
  app: FastifyInstance,
  { authenticator }: AccessPolicy,
  installation: Readonly<Installation>,
): ExtraRoute {
  app.get(meRoute.path, (request): Me => {
    const { identity } = originOf(request.raw);
    const { name, kind } = identity;
    return { name, kind, scopes: allScopes(identity), tokenAsked: authenticator.isTokenAsked, ...installation };
  });
  return meRoute;
}

export const meRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/me',
  scope: 'token',
  operation: {
    operationId: 'me',
    summary: 'The caller (token name and scopes), and the command that starts the command line of this installation.',
    responses: {
      '200': json('The caller', {
        name: { type: ['string', 'null'] },
        kind: { enum: ['local', 'operator', 'named'] },
        scopes: { type: 'array', items: { enum: scopes } },
        tokenAsked: { type: 'boolean' },
        cli: {
          type: 'string',
          description: 'The command that starts the command line of this installation on its machine',
        },
        consoleUrl: { type: ['string', 'null'], description: 'Address of its run console' },
        serviceUrl: {
          type: ['string', 'null'],
          description: 'Address of its coordination port; null for a standalone run console',
        },
      }),
    },
  },
};
