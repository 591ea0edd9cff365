import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../kernel/outcome.ts';
import type { ExtraRoute } from './openapi.ts';
import { sendRefusal } from './rest.ts';

const bodyLimit = 8 * 1024 * 1024;

/** A webhook of GitHub. The signature covers the received bytes; the content only triggers an earlier poll. */
export function addGitHubWebhook(app: FastifyInstance, secret: string, observe: () => void): ExtraRoute {
  const deliveries = new Deliveries();
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: '/api/observations/github',
      bodyLimit,
      handler: async (request, reply) => {
        const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const signature = String(request.headers['x-hub-signature-256'] ?? '');
        if (!isSigned(body, signature, secret)) {
          return sendRefusal(
            reply,
            refuse(
              'signature_invalid',
              'The signature does not match the body. Check the secret in Service:GitHubWebhookSecret.',
            ),
          );
        }
        if (deliveries.isNew(signature)) observe();
        return reply.code(204).send();
      },
    });
  });
  return webhookRoute;
}

const mostDeliveries = 10_000;

/** Each delivery counts once, by its signature. Its id is not signed, so a replay with new ids could trigger checks again and again. */
class Deliveries {
  readonly #seen = new Set<string>();

  isNew(signature: string): boolean {
    if (this.#seen.has(signature)) return false;
    this.#seen.add(signature);
    const [oldest = signature] = this.#seen;
    if (this.#seen.size > mostDeliveries) this.#seen.delete(oldest);
    return true;
  }
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const operation = {
  operationId: 'observe_github',
  summary: 'Accepts a signed GitHub webhook. It only makes changes visible sooner; polling finds them too.',
  responses: { '204': { description: 'Taken' }, '401': { description: 'signature_invalid' } },
};

export const webhookRoute: ExtraRoute = { method: 'POST', path: '/api/observations/github', scope: 'open', operation };
