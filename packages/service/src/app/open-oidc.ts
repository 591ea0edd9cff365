import { randomBytes } from 'node:crypto';
import { isTrusted, type Trust } from '../edge/admission.ts';
import type { Authenticator } from '../edge/authenticator.ts';
import type { SignIns } from '../edge/people.ts';
import { readPlainFile } from '../files/plain-file.ts';
import type { Clock } from '../kernel/clock.ts';
import { errorCode } from '../kernel/error-code.ts';
import { mcpPath } from '../kernel/service-paths.ts';
import { Provider } from '../oidc/provider.ts';
import { keyFrom } from '../oidc/sealed.ts';
import { openSignIns } from '../oidc/sign-ins.ts';
import { BadConfig } from './bad-config.ts';
import type { Config, OidcConfig } from './config.ts';
import type { Logger } from './log.ts';

type OidcDeps = { config: Pick<Config, 'token'>; clock: Clock; log: Logger; trust: Trust };

/** Signing in at a provider, for both ports. */
export function openOidc(
  { issuer, clientId, clientSecret: file, groups, checkMinutes }: OidcConfig,
  authenticator: Authenticator,
  { config, clock, log, trust }: OidcDeps,
): { signIns: SignIns; stop(): void } {
  const clientSecret = file === undefined ? undefined : secretIn(file);
  const signIns = openSignIns({
    issuer,
    provider: new Provider({ issuer, clientId, clientSecret }),
    groups,
    logins: authenticator.logins,
    clock,
    key: keyFrom(clientSecret ?? config.token ?? randomBytes(32), 'sign-ins'),
    checkMinutes,
    isOwnAddress: (audience) => isOwnAddress(audience, trust),
    isKnown: (token) => authenticator.isOwnToken(token),
    loginsEndedAt: () => authenticator.loginsEndedAt(),
    log,
  });
  authenticator.usePeople(signIns.people);
  return { signIns, stop: signIns.people.watch() };
}

/** The addresses of this service that are accepted as the audience of a token. The Host header of a request is not used, because the caller chooses it. */
function isOwnAddress(audience: string, trust: Trust): boolean {
  const url = URL.parse(audience);
  if (!url || !['/', mcpPath].includes(url.pathname)) return false;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return isTrusted(url.origin, trust) || isTrusted(`${url.protocol}//${url.hostname}:${port}`, trust);
}

const mostBytes = 64 * 1024;

export function secretIn(file: string): string {
  try {
    const secret = readPlainFile(file, mostBytes).toString('utf8').trim();
    if (secret !== '') return secret;
    throw new BadConfig(`Service:OidcClientSecret is ${file}, which is empty. Write the secret of the client into it.`);
  } catch (fault) {
    if (fault instanceof BadConfig) throw fault;
    throw new BadConfig(
      `Service:OidcClientSecret is ${file}, which cannot be read (${errorCode(fault)}). Set it to a readable file.`,
    );
  }
}
