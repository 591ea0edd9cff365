import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { allScopes, type Installation, identityKinds, type Me, scopes } from '../kernel/access.ts';
import { iso } from '../kernel/clock.ts';
import { type AccessPolicy, credentialsOf, originOf } from './admission.ts';
import { type ExtraRoute, jsonAnswer } from './openapi.ts';
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

const meAnswer = z.object({
  name: z.string().nullable(),
  kind: z.enum(identityKinds),
  scopes: z.array(z.enum(scopes)),
  tokenAsked: z.boolean(),
  signedIn: z
    .object({
      provider: z.string(),
      until: z.iso.datetime(),
      uncheckedSince: z
        .string()
        .nullable()
        .describe('The time since which the provider has not confirmed that the person still has access'),
    })
    .optional()
    .describe('For a person who signed in at the provider of Service:OidcIssuer'),
  cli: z.string().describe('The command that runs the command line of this installation on its machine'),
  consoleUrl: z.string().nullable().describe('Address of its run console'),
  serviceUrl: z.string().nullable().describe('Address of its coordination port; null for a standalone run console'),
});

export const meRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/me',
  scope: 'token',
  operation: {
    operationId: 'me',
    summary: 'The caller (name and scopes), and the command that starts the command line of this installation.',
    responses: { '200': jsonAnswer('The caller', meAnswer) },
  },
};
