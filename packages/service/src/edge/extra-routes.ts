import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Condition, conditionCodes, isReady } from '../kernel/conditions.ts';
import type { Licence, LicenceGate } from '../kernel/dispatch.ts';
import { type ExtraRoute, jsonAnswer, jsonBody } from './openapi.ts';

export function addHealth(app: FastifyInstance, version: string): ExtraRoute {
  app.get('/api/health', () => ({ status: 'ok', version }));
  return healthRoute;
}

export const healthRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/health',
  scope: 'open',
  operation: {
    operationId: 'health',
    summary: 'Answers while the process runs. Needs no token.',
    responses: { '200': jsonAnswer('Alive', z.object({ status: z.literal('ok'), version: z.string() })) },
  },
};

/** 503 while something keeps the service from writing; warnings alone leave it ready. */
export function addReady(app: FastifyInstance, conditions: () => readonly Condition[]): ExtraRoute {
  app.get(readyRoute.path, (_, reply) => {
    const found = conditions();
    const ready = isReady(found);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, conditions: found });
  });
  return readyRoute;
}

const condition = z.object({
  code: z.enum(conditionCodes),
  severity: z.enum(['down', 'warning']),
  detail: z.string(),
  next: z.string().describe('What to do'),
  since: z.string().nullable(),
}) satisfies z.ZodType<Condition>;
const readyAnswer = z.object({ ready: z.boolean(), conditions: z.array(condition) });

export const readyRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/ready',
  scope: 'open',
  operation: {
    operationId: 'readiness',
    summary:
      'Whether the service can do its work, writing included, and every condition a person should act on. Needs no token.',
    responses: {
      '200': jsonAnswer('Ready; conditions are warnings', readyAnswer),
      '503': jsonAnswer('Not ready', readyAnswer),
    },
  },
};

/** This route also exists on the coordination port, so that a probe of the wrong port learns which service answers. */
export function addPing(app: FastifyInstance, version: string): ExtraRoute {
  app.get('/api/ping', () => ({ tool: 'signalbox', version }));
  return pingRoute;
}

export const pingRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/ping',
  scope: 'open',
  operation: {
    operationId: 'ping',
    summary: 'Name and version of this service. Needs no token.',
    responses: { '200': jsonAnswer('Alive', z.object({ tool: z.literal('signalbox'), version: z.string() })) },
  },
};

export function addLicence(app: FastifyInstance, licence: () => { mode: LicenceGate; licence: Licence }): ExtraRoute {
  app.get('/api/licence', () => {
    const { mode, licence: now } = licence();
    return { ...now, gate: mode };
  });
  return licenceRoute;
}

const licenceAnswer = z.object({
  state: z.enum(['valid', 'missing', 'invalid', 'expired']),
  edition: z.string().nullable(),
  expiresAt: z.string().nullable(),
  holder: z.string().nullable(),
  gate: z.enum(['workLoop', 'record', 'off']),
}) satisfies z.ZodType<Licence & { gate: LicenceGate }>;

export const licenceRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/licence',
  scope: 'token',
  operation: {
    operationId: 'licence',
    summary: 'State of the licence, and the calls it gates.',
    responses: {
      '200': jsonAnswer('The licence', licenceAnswer),
    },
  },
};

/** The OpenAPI description of login and logout; their handlers are in `login.ts`. */
export const loginRoutes: readonly ExtraRoute[] = [
  {
    method: 'POST',
    path: '/api/login',
    scope: 'open',
    operation: {
      operationId: 'login',
      summary: 'Exchanges a token for a browser login of 30 days, kept in a cookie.',
      requestBody: jsonBody(z.object({ token: z.string() })),
      responses: {
        '204': { description: 'Logged in' },
        '401': { description: 'token_invalid' },
        '429': { description: 'too_many_requests' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/logout',
    scope: 'open',
    operation: {
      operationId: 'logout',
      summary: 'Ends the login of this browser.',
      responses: { '204': { description: 'Logged out' } },
    },
  },
];
