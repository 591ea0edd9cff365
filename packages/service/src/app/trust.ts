import { hostname, networkInterfaces } from 'node:os';
import type { Trust } from '../edge/admission.ts';
import { BadConfig, type Config } from './config.ts';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The names and origins by which this process may be addressed. The ports are added once they are known. */
export function trustOf({
  hosts,
  allowedHosts,
  allowedOrigins,
  publicUrl,
  token,
  tls,
}: Config): Trust & { ports: Set<string> } {
  const published = publicUrl.map(publicAddress);
  const everywhere = hosts.some((host) => host === '0.0.0.0' || host === '::');
  const own = everywhere ? [hostname(), ...localAddresses()] : hosts;
  return {
    names: new Set(
      [
        ...loopbackNames,
        ...own.map(bracketed),
        ...allowedHosts.map(withoutPort),
        ...published.map(({ hostname: name }) => name),
      ].map(lower),
    ),
    ports: new Set(),
    scheme: tls === undefined ? 'http' : 'https',
    origins: new Set([
      ...allowedOrigins.map((origin) => origin.toLowerCase().replace(/\/$/, '')),
      ...published.map(({ origin }) => origin),
    ]),
    secureHosts: new Set(published.map(({ host }) => host)),
    anyName: token !== undefined,
  };
}

function publicAddress(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return url;
  throw new BadConfig(`Service:PublicUrl must be https:// addresses, comma separated; it is ${text}`);
}

/** Anyone who reaches the port could claim, eject and import, so beyond this machine a token is required. */
export function refuseMissingToken({ hosts, token }: Config): void {
  const beyond = hosts.find((host) => !isLoopback(host));
  if (beyond === undefined || token !== undefined) return;
  throw new BadConfig(
    `HOST=${beyond} accepts connections from other machines, but no token is set. Set Service__Token to a long random string and start again, or unset HOST to listen on this machine only.`,
  );
}

const isLoopback = (host: string): boolean =>
  host === '::1' || host === 'localhost' || /^127\.\d+\.\d+\.\d+$/.test(host);
const lower = (name: string): string => name.toLowerCase();
/** The name in a Host header value such as `box:5526`, or in an IPv6 address. */
const withoutPort = (host: string): string => /^(\[.*\]|[^:]+)(?::\d+)?$/.exec(host)?.[1] ?? bracketed(host);
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
const localAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
