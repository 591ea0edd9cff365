import type { FastifyInstance } from 'fastify';
import { allScopes, type Installation, type Me, scopes } from '../kernel/access.ts';
import { iso } from '../kernel/clock.ts';
import { type AccessPolicy, credentialsOf, originOf } from './admission.ts';
import { json } from './extra-routes.ts';
import type { ExtraRoute } from './openapi.ts';
import type { SignedIn } from './people.ts';

export function addMe(
  app: FastifyInstance,
  { authenticator }: AccessPolicy,
  installation: Readonly<Installation>,
): ExtraRoute {
  app.get(meRoute.path, (request): Me => {
    const { identity } = originOf(request.raw);
    const { name, kind } = identity;
    const signedIn =
      kind === 'person' ? authenticator.people?.signedIn(credentialsOf(request.raw, undefined)) : undefined;
    return {
      name,
      kind,
      scopes: allScopes(identity),
      tokenAsked: authenticator.isTokenAsked,
      ...(signedIn && { signedIn: signedInView(signedIn) }),
      ...installation,
    };
  });
  return meRoute;
}

const signedInView = ({ provider, until, uncheckedSince }: SignedIn): NonNullable<Me['signedIn']> => ({
  provider,
  until: iso(until),
  uncheckedSince: uncheckedSince === null ? null : iso(uncheckedSince),
});

export const meRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/me',
  scope: 'token',
  operation: {
    operationId: 'me',
    summary: 'The caller (name and scopes), and the command that starts the command line of this installation.',
    responses: {
      '200': json('The caller', {
        name: { type: ['string', 'null'] },
        kind: { enum: ['local', 'operator', 'named', 'person'] },
        scopes: { type: 'array', items: { enum: scopes } },
        tokenAsked: { type: 'boolean' },
        signedIn: {
          type: 'object',
          description: 'Of a person who signed in at the provider of Service:OidcIssuer',
          properties: {
            provider: { type: 'string' },
            until: { type: 'string', format: 'date-time' },
            uncheckedSince: {
              type: ['string', 'null'],
              description: 'Since when the provider could not be asked whether they may still be here',
            },
          },
        },
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
