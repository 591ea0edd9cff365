import { type Refusal, refuse } from '../kernel/outcome.ts';

/** The accepted names of this process. `names` are host names without port, in lower case. */
export type Trust = {
  names: ReadonlySet<string>;
  ports: ReadonlySet<string>;
  /** Prefixes of our own addresses. */
  scheme: 'http' | 'https';
  /** Full origins from Service:AllowedOrigins. */
  origins: ReadonlySet<string>;
  /** Hosts, with their port, that a proxy serves over TLS. */
  secureHosts?: ReadonlySet<string>;
  /** With a token set any name may reach us: the token is what rebinding cannot guess. */
  anyName: boolean;
};

/** The parts of a request that identify its sender. */
export type RequestSender = {
  method: string;
  hosts: readonly string[];
  origin: string | undefined;
  fetchSite: string | undefined;
  fetchMode: string | undefined;
};

/** Stops DNS rebinding and other people's pages. Asked on every route of both ports, before anything else. */
export function checkSender(sender: RequestSender, trust: Trust): Refusal | undefined {
  return checkHost(sender, trust) ?? checkOrigin(sender, trust) ?? checkFetchSite(sender);
}

function checkHost({ hosts }: RequestSender, trust: Trust): Refusal | undefined {
  const [host, ...others] = hosts;
  if (host === undefined || others.length > 0) return refuse('invalid_request', 'Send exactly one Host header.');
  const name = hostName(host);
  if (trust.anyName || (name !== undefined && trust.names.has(name))) return undefined;
  return refuse(
    'host_not_allowed',
    'The Host header is not allowed. Use localhost, or add the name to Service:AllowedHosts.',
  );
}

function checkOrigin({ origin }: RequestSender, trust: Trust): Refusal | undefined {
  if (origin === undefined || isTrusted(origin, trust)) return undefined;
  return refuse(
    'origin_not_allowed',
    'Pages of other origins may not call this service. If the origin is yours, add it to Service:AllowedOrigins.',
  );
}

/** A page may link to us; it may not load, post to or embed us. Browsers say so even where they send no Origin. */
function checkFetchSite({ method, origin, fetchSite, fetchMode }: RequestSender): Refusal | undefined {
  if (origin !== undefined || fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none')
    return undefined;
  if (method === 'GET' && fetchMode === 'navigate') return undefined;
  return refuse(
    'origin_not_allowed',
    'Pages of other sites may not call this service. Use the page this service serves, or call it from a program.',
  );
}

export function isTrusted(origin: string, { names, ports, origins, scheme }: Trust): boolean {
  if (origins.has(origin.toLowerCase())) return true;
  const own = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^:/]+):(\d+)$/.exec(origin.toLowerCase());
  const [, ownScheme, name = '', port = ''] = own ?? [];
  return ownScheme === scheme && names.has(name) && ports.has(port);
}

/** `[::1]:5526` and `LOCALHOST:5526` without their port; undefined for an invalid host. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(host.toLowerCase())?.[1];
}
