import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

export const clientId = 'signalbox';
export const clientSecret = 'the-secret-of-the-client-signalbox';

export type Somebody = {
  groups?: readonly string[];
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
};

export type TestProvider = AsyncDisposable & {
  issuer: string;
  /** The people by their sign-in names; a test removes and changes them. */
  people: Map<string, Somebody>;
  /** Who signs in next if no form is shown. */
  next: { user: string };
  /** How often each path was requested. */
  asked: Map<string, number>;
  /** Addresses that a browser may be sent back to. */
  addAddress(origin: string): void;
  /** Paths that are answered with 503. */
  broken: Set<string>;
  /** Nothing answers until `back` is called. */
  away(): Promise<void>;
  back(): Promise<void>;
  privateJwk: object;
};

type Options = {
  secondsOfAccess?: number;
  refresh?: boolean;
  form?: boolean;
  tls?: { cert: string; key: string };
  /** How far its clock is ahead. */
  aheadMs?: number;
};

/** A real OpenID provider on a free port of this machine, with a client for the service and a client of somebody else. */
export async function startProvider({
  secondsOfAccess = 3600,
  refresh = true,
  form = false,
  tls,
  aheadMs = 0,
}: Options = {}): Promise<TestProvider> {
  const port = await freePort();
  const issuer = `${tls ? 'https' : 'http'}://localhost:${port}`;
  const people = new Map<string, Somebody>([
    ['ada', { groups: ['eng'], email: 'ada@example.com', email_verified: true }],
    ['grace', { groups: ['eng', 'leads'], email: 'grace@example.com', email_verified: true }],
    ['root', { groups: ['ops'], email: 'root@example.com', email_verified: true }],
    ['eve', { groups: ['sales'], email: 'eve@example.com', email_verified: true }],
  ]);
  const next = { user: 'ada' };
  const asked = new Map<string, number>();
  const addresses = new Set<string>();
  const broken = new Set<string>();
  const privateJwk = {
    ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
    alg: 'RS256',
    use: 'sig',
    kid: 'k1',
  };
  const grants = [
    'authorization_code',
    ...(refresh ? ['refresh_token'] : []),
    'urn:ietf:params:oauth:grant-type:device_code',
  ];
  const client = { grant_types: grants, response_types: ['code'], redirect_uris: ['http://localhost:1/'] };
  const provider = new Provider(issuer, {
    clients: [
      { ...client, client_id: clientId, client_secret: clientSecret },
      { ...client, client_id: 'other', client_secret: 'the-secret-of-another-client' },
    ],
    jwks: { keys: [privateJwk] },
    cookies: { keys: ['one'] },
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username'],
      groups: ['groups'],
    },
    findAccount: (_: unknown, id: string) => accountOf(id, people),
    loadExistingGrant: (ctx: GrantContext) => grantAll(provider, ctx),
    issueRefreshToken: () => refresh,
    rotateRefreshToken: true,
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: secondsOfAccess,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 3600,
      DeviceCode: 600,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true, userCodeInputSource: codeForm, userCodeConfirmSource: codeForm },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'openid profile email groups',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: secondsOfAccess,
        }),
      },
    },
  });
  // Services listen on free ports, which are known only once they run.
  provider.Client.prototype.redirectUriAllowed = (uri) => addresses.has(uri);
  provider.Client.prototype.postLogoutRedirectUriAllowed = (uri) => addresses.has(uri);
  const answer = provider.callback();
  const listen = () =>
    listenOn(port, tls, (request, response) => {
      response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      asked.set(path, (asked.get(path) ?? 0) + 1);
      if (broken.has(path)) response.writeHead(503).end();
      else if (path.startsWith('/interaction/'))
        void interact(provider, request, response, form ? undefined : next.user);
      else answer(request, response);
    });
  let server: Server | undefined = await listen();
  const away = async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  };
  return {
    issuer,
    people,
    next,
    asked,
    broken,
    privateJwk,
    addAddress(origin) {
      addresses.add(`${origin}/api/sign-in/callback`).add(`${origin}/`);
    },
    away,
    async back() {
      server ??= await listen();
    },
    [Symbol.asyncDispose]: away,
  };
}

type GrantContext = {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    params: { scope?: string; resource?: string | string[] };
    requestParamScopes: Set<string>;
    resourceServers?: Record<string, unknown>;
  };
};

/** Everybody agrees to everything, because consent is not tested here. */
async function grantAll(provider: Provider, { oidc }: GrantContext) {
  const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId });
  grant.addOIDCScope('openid profile email groups offline_access');
  for (const resource of Object.keys(oidc.resourceServers ?? {}))
    grant.addResourceScope(resource, 'openid profile email groups');
  await grant.save();
  return grant;
}

async function accountOf(accountId: string, people: ReadonlyMap<string, Somebody>) {
  const claims = people.get(accountId);
  return claims && { accountId, claims: async () => ({ sub: accountId, ...claims }) };
}

async function codeForm(ctx: { body: string }, form: string): Promise<void> {
  ctx.body = `<!doctype html><title>Device</title><body>${form}<button type="submit" form="op.deviceInputForm">Continue</button><button type="submit" form="op.deviceConfirmForm">Confirm</button>`;
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  user: string | undefined,
): Promise<void> {
  if (request.method === 'GET' && user === undefined) {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Sign in at Example</title><form method="post"><label>User <input name="user"></label><button>Continue</button></form>',
    );
    return;
  }
  const accountId = user ?? new URLSearchParams(await text(request)).get('user') ?? '';
  await provider.interactionFinished(request, response, { login: { accountId } });
}

function listenOn(
  port: number,
  tls: Options['tls'],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, answer)
    : createServer(answer);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', () => resolve(server));
  });
}

function freePort(): Promise<number> {
  const probe = createTcp();
  return new Promise((resolve) =>
    probe.listen(0, 'localhost', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    }),
  );
}
