import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { auditName } from '../kernel/audit.ts';
import { isRefusal, refuseShape } from '../kernel/outcome.ts';
import { faultsOf } from '../kernel/shape.ts';
import { type AccessPolicy, credentialsOf, isTls, type Trust } from './admission.ts';
import { loginDays } from './logins.ts';
import type { SignIns } from './people.ts';
import { sendRefusal } from './rest.ts';
import { cookieName, hashOf } from './token.ts';

const loginBody = z.strictObject({ token: z.string() });

/** Exchanges a token for a login; the page then sends an HttpOnly cookie. */
export function addLogin(
  app: FastifyInstance,
  { authenticator, audit, trust }: AccessPolicy,
  signIns: SignIns | undefined,
): void {
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
    const id = await authenticator.logins.startWithToken(hashOf(token));
    record(request, 'login', auditName(identity), 'done');
    return setCookie(request, reply, id, loginDays * 86_400)
      .code(204)
      .send();
  });

  app.post('/api/logout', async (request, reply) => {
    const { login } = credentialsOf(request.raw, undefined);
    let next: string | null = null;
    if (login !== undefined) {
      next = (await signIns?.logoutUrl(login, originOfRequest(request, trust))) ?? null;
      const identity = authenticator.identify({ bearer: undefined, login }, '');
      await authenticator.logins.end(login);
      if (!isRefusal(identity)) record(request, 'logout', auditName(identity), 'done');
    }
    setCookie(request, reply, '', 0);
    return next === null ? reply.code(204).send() : reply.send({ next });
  });
}

/** The headers that show which address a browser used to reach this port. */
type Reached = Pick<IncomingMessage, 'socket' | 'headers'>;

/** The address by which the browser reached this port. */
export const originOfRequest = (request: Reached, trust: Trust): string =>
  `${isOverTls(request, trust) ? 'https' : 'http'}://${(request.headers.host ?? '').toLowerCase().replace(/[^\w.:[\]-]/g, '')}`;

const isOverTls = ({ socket, headers }: Reached, { secureHosts }: Trust): boolean =>
  isTls(socket) || secureHosts?.has(headers.host?.toLowerCase() ?? '') === true;

/** `Lax` is for cookies that must be sent when the sign-in provider redirects the browser back. */
export const cookieSetter =
  (trust: Trust, name = 'login', sameSite: 'Strict' | 'Lax' = 'Strict') =>
  (request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): FastifyReply => {
    const overTls = isOverTls(request, trust);
    const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; SameSite=${sameSite}${overTls ? '; Secure' : ''}`;
    const cookie = cookieName(name, request.socket.localPort ?? 0, overTls);
    return reply.header('set-cookie', `${cookie}=${value}; ${attributes}`);
  };
