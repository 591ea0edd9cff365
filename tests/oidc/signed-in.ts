import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Answer, caller, type Started, type StartOptions, start } from '../start.ts';
import { operatorToken } from '../tokens.ts';
import { clientId, clientSecret, type TestProvider } from './provider.ts';

export const groups = 'eng=work, leads=author, ops=admin';

/** The settings with which people sign in at that provider. */
export async function oidcSettings(provider: TestProvider): Promise<Record<string, string>> {
  const file = join(await mkdtemp(join(tmpdir(), 'signalbox-oidc-')), 'client-secret');
  await writeFile(file, `${clientSecret}\n`, { mode: 0o600 });
  return {
    Token: operatorToken,
    OidcIssuer: provider.issuer,
    OidcClientId: clientId,
    OidcClientSecret: file,
    OidcGroups: groups,
  };
}

/** The service, with people signing in at that provider. */
export async function startWithPeople(
  provider: TestProvider,
  { settings, ...options }: StartOptions = {},
): Promise<Started> {
  const service = await start({ ...options, settings: { ...(await oidcSettings(provider)), ...settings } });
  provider.addAddress(service.url);
  provider.addAddress(service.consoleUrl);
  return service;
}

/** Cookies by name, as a browser keeps them for one host. */
export type Jar = Map<string, string>;
const cookiesOf = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

/** One request of a browser that follows no redirects by itself. */
export async function visit(jar: Jar, url: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookiesOf(jar), ...headers } });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  return response;
}

/** Follows a sign-in to the address that returns the provider's answer, without visiting it. `bend` changes an address on the way. */
export async function toCallback(jar: Jar, url: string, to = '/', bend = (_: URL): void => undefined): Promise<string> {
  let at = `${url}/api/sign-in/start?to=${encodeURIComponent(to)}`;
  // Cookies of a host are sent to all of its ports.
  for (let steps = 0; steps < 10; steps += 1) {
    const response = await visit(jar, at);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
    const next = new URL(location, at);
    bend(next);
    at = next.href;
    if (at.startsWith(`${url}/api/sign-in/callback`) || at.startsWith(`${url}/?`) || at === `${url}/`) return at;
  }
  throw new Error(`the sign-in leads to ${at}`);
}

export type Browser = {
  jar: Jar;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  cookie(): Record<string, string>;
};

export const browserOf = (url: string, jar: Jar): Browser => ({
  jar,
  cookie: () => ({ cookie: cookiesOf(jar) }),
  call: (method, path, body, headers) => caller(url)(method, path, body, { cookie: cookiesOf(jar), ...headers }),
});

/** Somebody who has signed in. */
export async function signIn(service: { url: string }, provider: TestProvider, user: string): Promise<Browser> {
  provider.next.user = user;
  const jar: Jar = new Map();
  const back = await visit(jar, await toCallback(jar, service.url));
  expect([back.status, back.headers.get('location')]).toEqual([303, '/']);
  return browserOf(service.url, jar);
}
