import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { refuse, refuseShape } from '../kernel/outcome.ts';
import { faultsOf } from '../kernel/shape.ts';
import { sendRefusal } from './rest.ts';
import { cookieOf, loginCookie, sameSecret } from './token.ts';

const loginBody = z.strictObject({ token: z.string() });
const attributes = 'Path=/; HttpOnly; SameSite=Strict';
const attemptLimit = { failures: 10, withinMs: 60_000 };

/** Lets a person in once by the token; the page then shows a cookie that only the browser can read. */
export function addLogin(app: FastifyInstance, token: string | undefined, clock: Clock): void {
  const failures = new Map<string, number[]>();

  const recent = (address: string): number[] => {
    const since = clock.monotonic() - attemptLimit.withinMs;
    const recentFailures = (failures.get(address) ?? []).filter((at) => at > since);
    if (recentFailures.length === 0) failures.delete(address);
    return recentFailures;
  };

  app.post('/api/login', (request, reply) => {
    const body = loginBody.safeParse(request.body, { reportInput: true });
    if (!body.success) return sendRefusal(reply, refuseShape(faultsOf(body.error, loginBody)));
    if (token === undefined) return reply.code(204).send();

    const before = recent(request.ip);
    if (before.length >= attemptLimit.failures) {
      const tooMany = 'Too many wrong tokens. Wait a minute, then try again.';
      return sendRefusal(reply, refuse('too_many_requests', tooMany, { retryAfterSeconds: 60 }));
    }
    if (!sameSecret(body.data.token, token)) {
      failures.set(request.ip, [...before, clock.monotonic()]);
      return sendRefusal(reply, refuse('token_invalid', 'The token is not the one in Service:Token.'));
    }
    return reply
      .header('set-cookie', `${loginCookie}=${cookieOf(token)}; ${attributes}`)
      .code(204)
      .send();
  });

  app.post('/api/logout', (_, reply) =>
    reply.header('set-cookie', `${loginCookie}=; Max-Age=0; ${attributes}`).code(204).send(),
  );
}
