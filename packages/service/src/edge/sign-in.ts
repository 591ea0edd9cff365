import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { DeviceAnswer, Pass } from '../kernel/access.ts';
import { isRefusal, type Refusal, refuseShape } from '../kernel/outcome.ts';
import { mcpPath } from '../kernel/service-paths.ts';
import { faultsOf } from '../kernel/shape.ts';
import { type AccessPolicy, isTls, type RouteAccess, type Trust } from './admission.ts';
import { cookieSetter, originOfRequest } from './login.ts';
import { type ExtraRoute, jsonAnswer, jsonBody } from './openapi.ts';
import type { SignIns } from './people.ts';
import { sendRefusal } from './rest.ts';
import { cookieOf } from './token.ts';

const resourcePath = '/.well-known/oauth-protected-resource';

/** Routes that exist where people can sign in, and are not in the reference. */
export const signInAccess: ReadonlyArray<readonly [string, RouteAccess]> = [
  [`GET ${resourcePath}`, { name: 'sign_in', scope: 'open' }],
  [`GET ${resourcePath}${mcpPath}`, { name: 'sign_in', scope: 'open' }],
];

const sealed = z.string().max(16_384);
const deviceBody = z.strictObject({ device: sealed });
const renewalBody = z.strictObject({ renewal: sealed });
const transactionSeconds = 600;
const wordsSeconds = 60;

/** How people sign in here; without Service:OidcIssuer, only the information that they cannot. */
export function addSignIn(
  app: FastifyInstance,
  policy: AccessPolicy,
  signIns: SignIns | undefined,
): readonly ExtraRoute[] {
  const setWords = cookieSetter(policy.trust, 'words', 'Lax');
  app.get('/api/sign-in', (request, reply) => {
    reply.header('cache-control', 'no-store');
    const kept = signIns && cookieIn(request, 'words');
    if (kept !== undefined) setWords(request, reply, '', 0);
    const refused = kept === undefined ? undefined : signIns?.unsealText(kept);
    return reply.send({ provider: signIns?.people.provider ?? null, ...(refused !== undefined && { refused }) });
  });
  if (signIns) {
    addBrowser(app, policy, signIns, setWords);
    addResource(app, policy.trust, signIns);
  }
  addDevice(app, policy, signIns);
  return signInRoutes;
}

/** Points an unknown caller to the provider, as in RFC 9728. */
export const challengeOf =
  (trust: Trust) =>
  (request: IncomingMessage): string =>
    `Bearer resource_metadata="${originOfRequest(request, trust)}${resourcePath}"`;

const cookieIn = ({ headers, socket }: FastifyRequest, what: string): string | undefined =>
  cookieOf(headers.cookie, what, socket.localPort ?? 0, isTls(socket)) || undefined;

function addBrowser(
  app: FastifyInstance,
  { trust, audit }: AccessPolicy,
  signIns: SignIns,
  setWords: ReturnType<typeof cookieSetter>,
): void {
  const setLogin = cookieSetter(trust);
  const setTransaction = cookieSetter(trust, 'sign_in', 'Lax');
  const record = recorder(audit);
  app.get<{ Querystring: { to?: unknown } }>('/api/sign-in/start', async (request, reply) => {
    const { to } = request.query;
    const page = typeof to === 'string' ? to : '/';
    const started = await signIns.start(originOfRequest(request, trust), page);
    if (isRefusal(started))
      return setWords(request, reply, signIns.sealText(started.detail), wordsSeconds).redirect('/', 303);
    reply.header('cache-control', 'no-store');
    return setTransaction(request, reply, started.transaction, transactionSeconds).redirect(started.location, 303);
  });
  app.get('/api/sign-in/callback', async (request, reply) => {
    const answer = new URL(request.url, 'http://callback.invalid').searchParams;
    const end = await signIns.finish(originOfRequest(request, trust), answer, cookieIn(request, 'sign_in'));
    reply.header('cache-control', 'no-store');
    setTransaction(request, reply, '', 0);
    if ('refused' in end) {
      record(request, 'sign_in', 'anonymous', 'token_invalid');
      return setWords(request, reply, signIns.sealText(end.refused), wordsSeconds).redirect(end.to, 303);
    }
    record(request, 'sign_in', end.name, 'done');
    return setLogin(request, reply, end.login, end.seconds).redirect(end.to, 303);
  });
}

const recorder =
  (audit: AccessPolicy['audit']) =>
  (request: FastifyRequest, command: string, name: string, outcome: string): void =>
    audit({ name, address: request.socket.remoteAddress ?? '', door: 'login', command, ref: null, outcome });

/** For the command line, which has no browser of its own. */
function addDevice(app: FastifyInstance, { audit }: AccessPolicy, signIns: SignIns | undefined): void {
  const record = recorder(audit);
  const post = <Body extends z.ZodType>(
    path: string,
    shape: Body,
    handle: (signIns: SignIns, body: z.output<Body>, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    app.post(path, (request, reply) => {
      if (!signIns) return sendRefusal(reply, notOffered);
      const body = shape.safeParse(request.body, { reportInput: true });
      if (!body.success) return sendRefusal(reply, refuseShape(faultsOf(body.error, shape)));
      return handle(signIns, body.data, request, reply);
    });
  const passed = (request: FastifyRequest, reply: FastifyReply, command: string, pass: Pass | Refusal) => {
    reply.header('cache-control', 'no-store');
    if (isRefusal(pass)) {
      record(request, command, 'anonymous', pass.code);
      return sendRefusal(reply, pass);
    }
    if (command === 'sign_in') record(request, command, pass.name, 'done');
    return reply.send(pass);
  };
  post('/api/sign-in/device', z.unknown(), async (people, _, __, reply) => {
    const started = await people.startDevice();
    return isRefusal(started) ? sendRefusal(reply, started) : reply.header('cache-control', 'no-store').send(started);
  });
  post('/api/sign-in/device/pass', deviceBody, async (people, { device }, request, reply) => {
    const polled = await people.pollDevice(device);
    if (typeof polled === 'string') return reply.code(202).send({ waiting: polled });
    return passed(request, reply, 'sign_in', polled);
  });
  post('/api/sign-in/renew', renewalBody, async (people, { renewal }, request, reply) =>
    passed(request, reply, 'renew_sign_in', await people.renew(renewal)),
  );
  post('/api/sign-in/end', renewalBody, async (people, { renewal }, request, reply) => {
    const name = await people.endPass(renewal);
    if (name !== undefined) record(request, 'sign_out', name, 'done');
    return reply.code(204).send();
  });
}

const notOffered = refuseShape([
  { path: '', message: 'this service has no sign-in: Service:OidcIssuer is not set. Use a token (SIGNALBOX_TOKEN)' },
]);

/** RFC 9728: lists who issues tokens for this service, for MCP clients. */
function addResource(app: FastifyInstance, trust: Trust, signIns: SignIns): void {
  for (const path of ['', mcpPath])
    app.get(`${resourcePath}${path}`, (request) => ({
      resource: `${originOfRequest(request, trust)}${path}`,
      authorization_servers: [signIns.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'profile', 'email'],
      resource_name: 'Signalbox',
    }));
}

const passAnswer = z.object({
  name: z.string(),
  token: z.string(),
  expiresAt: z.iso.datetime(),
  renewal: z.string(),
}) satisfies z.ZodType<Pass>;
const pass = jsonAnswer('An access token, and the token that renews it', passAnswer);
const optionsAnswer = z.object({
  provider: z.string().nullable().describe('Its host name; null if only tokens are accepted'),
  refused: z.string().optional(),
});
const deviceAnswer = z.object({
  device: z.string(),
  userCode: z.string(),
  verificationUri: z.string(),
  verificationUriComplete: z.string().optional(),
  expiresIn: z.int(),
  interval: z.int(),
}) satisfies z.ZodType<DeviceAnswer>;
const waitingAnswer = z.object({ waiting: z.enum(['pending', 'slower']) });

/** The OpenAPI description of signing in at a provider. */
export const signInRoutes: readonly ExtraRoute[] = [
  {
    method: 'GET',
    path: '/api/sign-in',
    scope: 'open',
    operation: {
      operationId: 'sign_in_options',
      summary: 'The provider where people sign in, if any, and why the last attempt of this browser was refused.',
      responses: {
        '200': jsonAnswer('How to sign in', optionsAnswer),
      },
    },
  },
  {
    method: 'GET',
    path: '/api/sign-in/start',
    scope: 'open',
    operation: {
      operationId: 'start_sign_in',
      summary: 'Sends a browser to the provider. Exists only where Service:OidcIssuer is set.',
      parameters: [
        {
          name: 'to',
          in: 'query',
          required: false,
          schema: { type: 'string' },
          description: 'The page to open afterwards',
        },
      ],
      responses: { '303': { description: 'To the provider' } },
    },
  },
  {
    method: 'GET',
    path: '/api/sign-in/callback',
    scope: 'open',
    operation: {
      operationId: 'finish_sign_in',
      summary: 'The address to which the provider sends the browser back. Exists only where Service:OidcIssuer is set.',
      responses: { '303': { description: 'To the page; the login is kept in a cookie' } },
    },
  },
  {
    method: 'POST',
    path: '/api/sign-in/device',
    scope: 'open',
    operation: {
      operationId: 'start_device_sign_in',
      summary: 'Starts a sign-in of the command line: returns a code to enter at the provider (RFC 8628).',
      responses: {
        '200': jsonAnswer('The code', deviceAnswer),
        '503': { description: 'host_unavailable' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/sign-in/device/pass',
    scope: 'open',
    operation: {
      operationId: 'finish_device_sign_in',
      summary: 'Whether the code has been entered: 202 until then.',
      requestBody: jsonBody(deviceBody),
      responses: { '200': pass, '202': jsonAnswer('Not yet', waitingAnswer), '401': { description: 'token_invalid' } },
    },
  },
  {
    method: 'POST',
    path: '/api/sign-in/renew',
    scope: 'open',
    operation: {
      operationId: 'renew_sign_in',
      summary:
        'A new access token for the command line, after asking the provider whether the person still has access.',
      requestBody: jsonBody(renewalBody),
      responses: { '200': pass, '401': { description: 'token_invalid' }, '403': { description: 'scope_required' } },
    },
  },
  {
    method: 'POST',
    path: '/api/sign-in/end',
    scope: 'open',
    operation: {
      operationId: 'end_sign_in',
      summary: 'Ends a sign-in of the command line.',
      requestBody: jsonBody(renewalBody),
      responses: { '204': { description: 'Signed out' } },
    },
  },
];
