import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { iso } from '../kernel/clock.ts';
import { refuse } from '../kernel/outcome.ts';
import { type AccessPolicy, originOf } from './admission.ts';
import { type ExtraRoute, jsonAnswer } from './openapi.ts';
import { sendRefusal } from './rest.ts';

/** Gives the tests of `signalbox run` a token that is valid only for publishing. */
export function addRunToken(app: FastifyInstance, { authenticator }: AccessPolicy): ExtraRoute {
  app.post<{ Params: { runId: string } }>('/api/runs/:runId/token', (request, reply) => {
    const { identity } = originOf(request.raw);
    const { runId } = request.params;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(runId))
      return sendRefusal(reply, refuse('run_not_found', 'Such a run id does not exist. list_runs lists the runs.'));
    const { token, expiresAt } = authenticator.runTokens.make(identity.name, runId);
    return reply.code(201).send({ token, expiresAt: iso(expiresAt) });
  });
  return runTokenRoute;
}

export const runTokenRoute: ExtraRoute = {
  method: 'POST',
  path: '/api/runs/{runId}/token',
  scope: 'publish',
  operation: {
    operationId: 'run_token',
    summary: 'A token that can only publish to this run, under the name of the caller, for a day.',
    parameters: [{ name: 'runId', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      '201': jsonAnswer('The token', z.object({ token: z.string(), expiresAt: z.iso.datetime() })),
    },
  },
};
