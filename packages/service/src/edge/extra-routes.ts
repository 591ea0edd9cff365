import type { FastifyInstance } from 'fastify';
import { type Condition, conditionCodes, isReady } from '../kernel/conditions.ts';
import type { Licence, LicenceGate } from '../kernel/dispatch.ts';
import type { ExtraRoute } from './openapi.ts';

export const json = (description: string, properties: object) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties } } },
});
const text = { type: 'string' };

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
    responses: { '200': json('Alive', { status: text, version: text }) },
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

const readyAnswer = {
  ready: { type: 'boolean' },
  conditions: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        code: { enum: conditionCodes },
        severity: { enum: ['down', 'warning'] },
        detail: text,
        next: { ...text, description: 'What to do' },
        since: { type: ['string', 'null'] },
      },
    },
  },
};

export const readyRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/ready',
  scope: 'open',
  operation: {
    operationId: 'readiness',
    summary:
      'Whether the service can do its work, writing included, and every condition a person should act on. Needs no token.',
    responses: {
      '200': json('Ready; conditions are warnings', readyAnswer),
      '503': json('Not ready', readyAnswer),
    },
  },
};

/** On coordination too, so that a probe of the wrong port learns what answers there. */
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
    responses: { '200': json('Alive', { tool: text, version: text }) },
  },
};

export function addLicence(app: FastifyInstance, licence: () => { mode: LicenceGate; licence: Licence }): ExtraRoute {
  app.get('/api/licence', () => {
    const { mode, licence: now } = licence();
    return { ...now, gate: mode };
  });
  return licenceRoute;
}

export const licenceRoute: ExtraRoute = {
  method: 'GET',
  path: '/api/licence',
  scope: 'token',
  operation: {
    operationId: 'licence',
    summary: 'State of the licence, and the calls it gates.',
    responses: {
      '200': json('The licence', {
        state: { enum: ['valid', 'missing', 'invalid', 'expired'] },
        edition: { type: ['string', 'null'] },
        expiresAt: { type: ['string', 'null'] },
        holder: { type: ['string', 'null'] },
        gate: { enum: ['workLoop', 'record', 'off'] },
      }),
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
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', required: ['token'], properties: { token: text } } },
        },
      },
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
