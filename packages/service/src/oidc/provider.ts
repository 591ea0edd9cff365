import { createRemoteJWKSet, decodeProtectedHeader, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import type { Claims } from './person.ts';
import { faultOf, lacks, ProviderFault } from './provider-fault.ts';

export type ProviderSettings = { issuer: string; clientId: string; clientSecret: string | undefined };

type Tokens = { access: string; seconds: number; refresh: string | undefined; idToken: string | undefined };
/** The provider's answer for one person. */
export type Grant = { claims: Claims; tokens: Tokens };

export type CodeRequest = { redirectUri: string; state: string; nonce: string; verifier: string };
export type DeviceStart = {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string | undefined;
  expiresIn: number;
  interval: number;
};

const timeoutMs = 10_000;
/** After this time the provider's description is read again. */
const descriptionMs = 60 * 60_000;
/** Only signatures by the provider's own private key are accepted, neither HMAC with a shared secret nor `none`. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

type Described = { server: oauth.AuthorizationServer; keys: JWTVerifyGetKey; at: number };

/** The provider of Service:OidcIssuer; this service is its client. It is not contacted before somebody signs in. */
export class Provider {
  readonly host: string;
  readonly #settings: ProviderSettings;
  readonly #issuer: URL;
  readonly #client: oauth.Client;
  readonly #insecure: boolean;
  #described: Promise<Described> | undefined;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
    this.#issuer = new URL(settings.issuer);
    this.host = this.#issuer.host;
    this.#client = { client_id: settings.clientId };
    this.#insecure = this.#issuer.protocol === 'http:';
  }

  /** The address where a browser signs in. */
  authorizationUrl({ redirectUri, state, nonce, verifier }: CodeRequest): Promise<URL> {
    return this.#ask(async ({ server }) => {
      if (server.authorization_endpoint === undefined) throw lacks('authorization_endpoint');
      const url = new URL(server.authorization_endpoint);
      const members = {
        response_type: 'code',
        client_id: this.#settings.clientId,
        redirect_uri: redirectUri,
        scope: scopeOf(server),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
      return url;
    });
  }

  /** Exchanges the code that the browser brought back. */
  exchange(answer: URLSearchParams, { redirectUri, state, nonce, verifier }: CodeRequest): Promise<Grant> {
    return this.#ask(async ({ server }) => {
      const valid = oauth.validateAuthResponse(server, this.#client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#authentication(server),
        valid,
        redirectUri,
        verifier,
        this.#options(),
      );
      const given = await oauth.processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      return this.#grant(server, response, given, undefined);
    });
  }

  /**
   * Renews a sign-in and returns the person's current claims. The old refresh token may have ended with this, so the new
   * tokens are passed to `renewed` before anything else is asked.
   */
  refresh(refreshToken: string, sub: string, renewed: (tokens: Tokens) => Promise<void>): Promise<Grant> {
    return this.#ask(async ({ server }) => {
      const authentication = this.#authentication(server);
      const options = this.#options();
      const response = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        authentication,
        refreshToken,
        options,
      );
      const given = await oauth.processRefreshTokenResponse(server, this.#client, response);
      const tokens = { ...tokensIn(given), refresh: given.refresh_token ?? refreshToken };
      await renewed(tokens);
      return { ...(await this.#grant(server, response, given, sub)), tokens };
    });
  }

  claimsOf(accessToken: string, sub: string): Promise<Claims> {
    return this.#ask(({ server }) => this.#userInfo(server, accessToken, sub));
  }

  /** The address where the browser also ends its session at the provider; null if the provider has no such address. */
  async logoutUrl(idToken: string | undefined, returnTo: string): Promise<string | null> {
    const server = await this.#description().then(
      (described) => described.server,
      () => undefined,
    );
    if (server?.end_session_endpoint === undefined) return null;
    const url = new URL(server.end_session_endpoint);
    if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
    url.searchParams.set('client_id', this.#settings.clientId);
    url.searchParams.set('post_logout_redirect_uri', returnTo);
    return url.href;
  }

  /** Best effort: the token is forgotten here in any case. */
  async revoke(refreshToken: string): Promise<void> {
    await this.#ask(async ({ server }) => {
      if (server.revocation_endpoint === undefined) return;
      const authentication = this.#authentication(server);
      await oauth.revocationRequest(server, this.#client, authentication, refreshToken, this.#options());
    }).catch(() => undefined);
  }

  startDevice(): Promise<DeviceStart> {
    return this.#ask(async ({ server }) => {
      if (server.device_authorization_endpoint === undefined) throw lacks('device_authorization_endpoint');
      const response = await oauth.deviceAuthorizationRequest(
        server,
        this.#client,
        this.#authentication(server),
        { scope: scopeOf(server) },
        this.#options(),
      );
      const given = await oauth.processDeviceAuthorizationResponse(server, this.#client, response);
      return {
        deviceCode: given.device_code,
        userCode: given.user_code,
        verificationUri: given.verification_uri,
        verificationUriComplete: given.verification_uri_complete,
        expiresIn: given.expires_in,
        interval: given.interval ?? 5,
      };
    });
  }

  /** `pending` until the person has answered at the provider, `slower` if it is asked too often. */
  async pollDevice(deviceCode: string): Promise<Grant | 'pending' | 'slower'> {
    return this.#ask(async ({ server }) => {
      const authentication = this.#authentication(server);
      const options = this.#options();
      const response = await oauth.deviceCodeGrantRequest(server, this.#client, authentication, deviceCode, options);
      try {
        const given = await oauth.processDeviceCodeResponse(server, this.#client, response);
        return await this.#grant(server, response, given, undefined);
      } catch (fault) {
        if (fault instanceof oauth.ResponseBodyError && fault.error === 'authorization_pending') return 'pending';
        if (fault instanceof oauth.ResponseBodyError && fault.error === 'slow_down') return 'slower';
        throw fault;
      }
    });
  }

  /**
   * The owner of an access token, if it was issued for this service: to its client, or for its address. `checked`: the
   * provider was asked just now; otherwise only the token's signature is known to be the provider's.
   */
  verify(token: string, isAudience: (audience: string) => boolean): Promise<VerifiedToken> {
    return this.#ask(async (described) =>
      isJwt(token) ? this.#verifyJwt(described, token, isAudience) : this.#introspect(described, token, isAudience),
    );
  }

  async #verifyJwt({ server, keys }: Described, token: string, isAudience: (audience: string) => boolean) {
    const { payload } = await jwtVerify(token, keys, {
      issuer: server.issuer,
      algorithms,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: 30,
    });
    const { sub = '', exp = 0, iat = 0 } = payload;
    if (payload.nonce !== undefined || payload.at_hash !== undefined || payload.typ === 'ID')
      throw new ProviderFault('refused', 'this is an ID token; send the access token');
    const audiences = [payload.aud ?? []].flat();
    const isOurs = payload.azp === this.#settings.clientId || payload.client_id === this.#settings.clientId;
    if (!isOurs && !audiences.some((one) => one === this.#settings.clientId || isAudience(one)))
      throw new ProviderFault('refused', 'it was issued for another service (aud)');
    const asked = await this.#userInfo(server, token, sub).catch((fault: unknown) => {
      if (faultOf(fault).how !== 'ended') throw fault;
      return undefined;
    });
    return { claims: { ...asked, ...payload, ...(asked && ofGroups(asked)) }, checked: asked !== undefined, exp, iat };
  }

  async #introspect({ server }: Described, token: string, isAudience: (audience: string) => boolean) {
    if (server.introspection_endpoint === undefined)
      throw new ProviderFault('refused', 'it is not a JWT, and the provider has no introspection_endpoint');
    const authentication = this.#authentication(server);
    const response = await oauth.introspectionRequest(server, this.#client, authentication, token, this.#options());
    const found = await oauth.processIntrospectionResponse(server, this.#client, response);
    if (!found.active) throw new ProviderFault('ended', 'the provider reports it as not active');
    const audiences = [found.aud ?? []].flat();
    const isOurs = found.client_id === this.#settings.clientId;
    if (!isOurs && !audiences.some((one) => one === this.#settings.clientId || isAudience(one)))
      throw new ProviderFault('refused', 'it was issued for another service (aud)');
    if (found.sub === undefined) throw new ProviderFault('refused', 'the provider does not name its owner (sub)');
    const asked = await this.#userInfo(server, token, found.sub).catch((fault: unknown) => {
      if (faultOf(fault).how === 'away') throw fault;
      return undefined;
    });
    const { exp = 0, iat = 0, sub } = found;
    return { claims: { ...(found as Claims), ...asked, sub }, checked: true, exp, iat };
  }

  async #grant(
    server: oauth.AuthorizationServer,
    response: Response,
    given: oauth.TokenEndpointResponse,
    sub: string | undefined,
  ): Promise<Grant> {
    const idClaims = oauth.getValidatedIdTokenClaims(given);
    if (idClaims) await oauth.validateApplicationLevelSignature(server, response, this.#options());
    const whose = idClaims?.sub ?? sub;
    if (whose === undefined) throw new ProviderFault('refused', 'the provider sent no ID token');
    if (sub !== undefined && whose !== sub) throw new ProviderFault('ended', 'the provider now names another person');
    const asked = server.userinfo_endpoint === undefined ? {} : await this.#userInfo(server, given.access_token, whose);
    return { claims: { ...idClaims, ...asked, sub: whose }, tokens: tokensIn(given) };
  }

  async #userInfo(server: oauth.AuthorizationServer, accessToken: string, sub: string): Promise<Claims> {
    const response = await oauth.userInfoRequest(server, this.#client, accessToken, this.#options());
    return oauth.processUserInfoResponse(server, this.#client, sub, response);
  }

  #authentication(server: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#settings;
    if (clientSecret === undefined) return oauth.None();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret);
  }

  #options() {
    return { [oauth.allowInsecureRequests]: this.#insecure, signal: AbortSignal.timeout(timeoutMs) };
  }

  async #ask<Answer>(ask: (described: Described) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(await this.#description());
    } catch (fault) {
      throw faultOf(fault);
    }
  }

  async #description(): Promise<Described> {
    const known = await this.#described?.catch(() => undefined);
    if (known && performance.now() - known.at < descriptionMs) return known;
    this.#described = this.#describe();
    return this.#described;
  }

  /** Asks the provider for its description now. `aheadMs`: how far its clock is ahead of this one, according to its answer. */
  async inspect(): Promise<{ aheadMs: number | null }> {
    try {
      const response = await oauth.discoveryRequest(this.#issuer, this.#options());
      const date = Date.parse(response.headers.get('date') ?? '');
      const aheadMs = Number.isNaN(date) ? null : date - Date.now();
      await oauth.processDiscoveryResponse(this.#issuer, response);
      return { aheadMs };
    } catch (fault) {
      throw faultOf(fault);
    }
  }

  /** Whether the provider accepts this client. Sends an invalid code, which the provider checks only after it has checked the client. */
  tryClient(redirectUri: string): Promise<'taken' | 'unknown' | { refused: string }> {
    return this.#ask(async ({ server }) => {
      const code = { code: 'none', redirect_uri: redirectUri, code_verifier: oauth.generateRandomCodeVerifier() };
      const authentication = this.#authentication(server);
      const grant = 'authorization_code';
      const options = this.#options();
      const { status, body } = await oauth
        .genericTokenEndpointRequest(server, this.#client, authentication, grant, code, options)
        .then(async (response) => ({ status: response.status, body: (await response.json()) as OAuthError }));
      if (body.error === 'invalid_grant') return 'taken';
      const isClient = status === 401 || body.error === 'invalid_client' || body.error === 'unauthorized_client';
      return isClient ? { refused: [body.error, body.error_description].filter(Boolean).join(': ') } : 'unknown';
    });
  }

  async #describe(): Promise<Described> {
    const response = await oauth.discoveryRequest(this.#issuer, this.#options());
    const server = await oauth.processDiscoveryResponse(this.#issuer, response);
    if (server.jwks_uri === undefined) throw lacks('jwks_uri');
    const keys = createRemoteJWKSet(new URL(server.jwks_uri), { timeoutDuration: timeoutMs });
    return { server, keys, at: performance.now() };
  }
}

type OAuthError = { error?: string; error_description?: string };
type VerifiedToken = { claims: Claims; checked: boolean; exp: number; iat: number };

const tokensIn = (given: oauth.TokenEndpointResponse): Tokens => ({
  access: given.access_token,
  seconds: given.expires_in ?? 300,
  refresh: given.refresh_token,
  idToken: given.id_token,
});

function isJwt(token: string): boolean {
  try {
    return token.split('.').length === 3 && typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
}

/** Current claims of the provider override those in an older token. */
const ofGroups = ({ groups, roles }: Claims): Claims => ({
  ...(groups !== undefined && { groups }),
  ...(roles !== undefined && { roles }),
});

/** The wanted scopes that this provider offers; some providers refuse unknown ones. */
function scopeOf({ scopes_supported: offered = [] }: oauth.AuthorizationServer): string {
  const wanted = ['profile', 'email', 'groups', 'offline_access'];
  const certain = new Set(['profile', 'email']);
  return ['openid', ...wanted.filter((one) => offered.includes(one) || certain.has(one))].join(' ');
}
