import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { auditName } from '../kernel/audit.ts';
import { isRefusal, refuseShape } from '../kernel/outcome.ts';
import { faultsOf } from '../kernel/shape.ts';
import { type AccessPolicy, credentialsOf, isTls } from './admission.ts';
import { loginDays } from './logins.ts';
import { sendRefusal } from './rest.ts';
import type { Trust } from './safety.ts';
import { hashOf, loginCookie } from './token.ts';

const loginBody = z.strictObject({ token: z.string() });

/** Exchanges a token for a login; the page then sends an HttpOnly cookie. */
export function addLogin(app: FastifyInstance, { authenticator, audit, trust }: AccessPolicy): void {
  const setCookie = cookieSetter(trust);
  const record = (request: FastifyRequest, command: string, name: string, outcome: string) =>
    audit({ name, address: request.socket.remoteAddress ?? '', door: 'login', command, ref: null, outcome });

  app.post('/api/login', async (request, reply) => {
    const body = loginBody.safeParse(request.body, { reportInput: true });
    if (!body.success) return sendRefusal(reply, refuseShape(faultsOf(body.error, loginBody)));
    const { token } = body.data;
    const identity = authenticator.identifyToken(token, request.socket.remoteAddress ?? '');
    if (isRefusal(identity)) {
      record(request, 'login', 'anonymous', identity.code);
      return sendRefusal(reply, identity);
    }
    if (identity.kind === 'local') return reply.code(204).send();
    const id = await authenticator.logins.start(hashOf(token));
    record(request, 'login', auditName(identity), 'done');
    return setCookie(request, reply, id, loginDays * 86_400)
      .code(204)
      .send();
  });

  app.post('/api/logout', async (request, reply) => {
    const { login } = credentialsOf(request.raw, undefined);
    if (login !== undefined) {
      const identity = authenticator.identify({ bearer: undefined, login }, '');
      await authenticator.logins.end(login);
      if (!isRefusal(identity)) record(request, 'logout', auditName(identity), 'done');
    }
    return setCookie(request, reply, '', 0).code(204).send();
  });
}

const cookieSetter =
  ({ secureHosts }: Trust) =>
  ({ socket, headers }: FastifyRequest, reply: FastifyReply, value: string, seconds: number): FastifyReply => {
    const overTls = isTls(socket) || secureHosts?.has(headers.host?.toLowerCase() ?? '') === true;
    const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Strict${overTls ? '; Secure' : ''}`;
    return reply.header('set-cookie', `${loginCookie(socket.localPort ?? 0, overTls)}=${value}; ${attributes}`);
  };
