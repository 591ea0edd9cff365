import type { FastifyInstance } from 'fastify';
import { allScopes, type Me, scopes } from '../kernel/access.ts';
import { type AccessPolicy, originOf } from './admission.ts';
import { json } from './extra-routes.ts';
import type { ExtraRoute } from './openapi.ts';

export function addMe(app: FastifyInstance, { authenticator }: AccessPolicy): ExtraRoute {
  app.get(meRoute.path, (request): Me => {
    const { identity } = originOf(request.raw);
    const { name, kind } = identity;
    return { name, kind, scopes: allScopes(identity), tokenAsked: authenticator.isTokenAsked };
  });
  return meRoute;
}

export const meRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/me',
  scope: 'token',
  operation: {
    operationId: 'me',
    summary: 'Tells who the caller is: the name of its token and all scopes that it has.',
    responses: {
      '2XX': json('The caller', {
        name: { type: ['string', 'null'] },
        kind: { enum: ['local', 'operator', 'named'] },
        scopes: { type: 'array', items: { enum: scopes } },
        tokenAsked: { type: 'boolean' },
      }),
    },
  },
};
