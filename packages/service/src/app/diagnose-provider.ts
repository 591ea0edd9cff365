import { codeIn, connectionFault } from '../coordination/runs/io/connection-fault.ts';
import { errorMessage } from '../kernel/error-code.ts';
import { Provider } from '../oidc/provider.ts';
import { ProviderFault } from '../oidc/provider-fault.ts';
import type { OidcConfig } from './config.ts';
import { type Finding, ok, wrong } from './finding.ts';
import { secretIn } from './open-oidc.ts';

/** If the provider's clock differs by more, its tokens are refused as too old or too new. */
const mostApartMs = 60_000;
const about = 'sign-in provider';

/** The sign-in provider, as seen from this machine. */
export async function diagnoseProvider(config: OidcConfig, origin: string): Promise<Finding[]> {
  const { issuer, clientId, clientSecret: file } = config;
  try {
    const clientSecret = file === undefined ? undefined : secretIn(file);
    const provider = new Provider({ issuer, clientId, clientSecret });
    const { aheadMs } = await provider.inspect();
    return [ok(about, issuer), ...clockOf(aheadMs), await clientOf(provider, config, origin)];
  } catch (fault) {
    if (!(fault instanceof ProviderFault)) return [wrong(about, issuer, errorMessage(fault))];
    return [wrong(about, `${issuer}: ${fault.message}`, await nextOf(config, fault))];
  }
}

function clockOf(aheadMs: number | null): Finding[] {
  if (aheadMs === null || Math.abs(aheadMs) <= mostApartMs) return [];
  const apart = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  return [wrong('clock of the provider', apart, 'Synchronise the clock of this machine (timedatectl set-ntp true).')];
}

async function clientOf(provider: Provider, { clientId }: OidcConfig, origin: string): Promise<Finding> {
  const subject = 'sign-in client';
  const taken = await provider.tryClient(`${origin}/api/sign-in/callback`).catch((fault: Error) => fault.message);
  if (typeof taken === 'object')
    return wrong(
      subject,
      `${clientId} is refused (${taken.refused})`,
      'Check Service:OidcClientId and the file of Service:OidcClientSecret against the client at the provider.',
    );
  return ok(subject, taken === 'taken' ? `${clientId} is accepted` : `${clientId}: the provider did not confirm it`);
}

async function nextOf({ issuer }: OidcConfig, fault: ProviderFault): Promise<string> {
  const { host } = new URL(issuer);
  const renew = 'Its administrator has to renew it.';
  if (fault.how === 'refused') return wordsOfAnswer(fault.message);
  const certificate = await connectionFault(issuer, fault, renew);
  return certificate ?? wordsOfLine[codeIn(fault)]?.(host) ?? `Check from this machine that ${host} answers.`;
}

function wordsOfAnswer(message: string): string {
  const named = /^it names itself (.+)$/.exec(message)?.[1];
  return named === undefined
    ? 'Check the path of Service:OidcIssuer: the discovery document must be at that address followed by /.well-known/openid-configuration.'
    : `Set Service:OidcIssuer to ${named}, if that is the right provider.`;
}

const unknownName = (host: string) =>
  `The name ${host} is not known to the DNS of this machine. Check Service:OidcIssuer and the DNS.`;

const wordsOfLine: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ECONNREFUSED: (host) =>
    `Nothing listens at ${host}. Start the provider, or correct the host and port of Service:OidcIssuer.`,
};
