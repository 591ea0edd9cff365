import { fetchAtMost } from '../../../files/fetch-at-most.ts';
import { isObject } from '../../../kernel/is-object.ts';
import { observeVersions } from '../packages.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from '../ports.ts';
import { npmFeedFor } from './npm-configuration.ts';

export type PackageFeeds = { npmRegistryUrl: string | undefined; nuGetUrl: string | undefined };

const timeoutMs = 10_000;
/** The largest packages of npm have some ten megabytes of versions. */
const boundedFetch = fetchAtMost(32 * 1024 * 1024);
const publicNuGet = 'https://api.nuget.org/v3/index.json';

type Cached = { etag: string | undefined; versions: string[] };
type Versions = { versions: string[] } | { absent: true } | { why: string };

/** Packages on npm and NuGet feeds; each name is requested once per check, and unchanged answers are not sent again. */
export function createPackageObserver(feeds: PackageFeeds): EvidenceObserver {
  const cache = new Map<string, Cached>();
  const nuGet = nuGetAddressReader(feeds.nuGetUrl ?? publicNuGet);

  async function request(
    url: string,
    headers: Record<string, string>,
    read: (body: unknown) => string[],
  ): Promise<Versions> {
    const before = cache.get(url);
    try {
      const response = await boundedFetch(url, {
        headers: { ...headers, ...(before?.etag ? { 'if-none-match': before.etag } : {}) },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status === 304 && before) return { versions: before.versions };
      if (response.status === 404) return { absent: true };
      if (!response.ok) return { why: `the feed answered ${response.status}` };
      const versions = read(await response.json());
      cache.set(url, { etag: response.headers.get('etag') ?? undefined, versions });
      return { versions };
    } catch {
      return { why: 'the feed could not be reached' };
    }
  }

  async function versionsOf(registry: string, name: string): Promise<Versions> {
    if (registry === 'nuget') {
      const home = await nuGet();
      const path = addressPart(name.toLowerCase());
      if (path === null) return badName(name);
      return 'why' in home ? home : request(`${home.url}${path}/index.json`, {}, nuGetVersions);
    }
    const { registry: url, authorization } = await npmFeedFor(name, feeds.npmRegistryUrl);
    if (url === '') return { why: 'npm names no registry; set Service:NpmRegistryUrl' };
    const headers = { accept: 'application/vnd.npm.install-v1+json', ...(authorization ? { authorization } : {}) };
    const parts = name.split('/').map(addressPart);
    if (parts.includes(null)) return badName(name);
    return request(`${url}/${parts.join('%2f').replace('%40', '@')}`, headers, npmVersions);
  }

  return {
    kinds: ['package'],
    async observe(targets) {
      const names = new Map<string, Promise<Versions>>();
      return Promise.all(
        targets.map(async (target): Promise<TargetObservation> => {
          const { binding } = target;
          if (binding.kind !== 'package') return unobservable(target, 'the binding names no package');
          const key = `${binding.registry} ${binding.name.toLowerCase()}`;
          const asked = names.get(key) ?? versionsOf(binding.registry, binding.name);
          names.set(key, asked);
          return observationFrom(target, await asked, (versions) => observeVersions(binding, versions));
        }),
      );
    },
  };
}

/** One part of a name as a URL segment; null if the segment would lead elsewhere. */
const addressPart = (part: string): string | null =>
  part === '' || part === '.' || part === '..' ? null : encodeURIComponent(part.toWellFormed());

const badName = (name: string): Versions => ({
  why: `${name.slice(0, 100)} is not a valid package name; correct the binding`,
});

function observationFrom(
  target: EvidenceTarget,
  found: Versions,
  observe: (versions: string[]) => TargetObservation['observation'],
): TargetObservation {
  if ('why' in found) return unobservable(target, found.why);
  if ('absent' in found && target.observedBefore)
    return unobservable(target, 'the package now answers 404; the last evidence is kept');
  return { target, observation: observe('versions' in found ? found.versions : []) };
}

const npmVersions = (body: unknown): string[] =>
  isObject(body) && isObject(body.versions) ? Object.keys(body.versions) : [];
const nuGetVersions = (body: unknown): string[] =>
  isObject(body) && Array.isArray(body.versions) ? body.versions.filter(isText) : [];
const isText = (value: unknown): value is string => typeof value === 'string';

type Resource = { '@id': string };

const isBaseAddress = (resource: unknown): resource is Resource =>
  isObject(resource) &&
  typeof resource['@id'] === 'string' &&
  [resource['@type']].flat().some((type) => String(type).startsWith('PackageBaseAddress/3'));
type NuGetAddress = { url: string } | { why: string };

/** The v3 service index contains the address where versions are listed. */
function nuGetAddressReader(index: string): () => Promise<NuGetAddress> {
  let home: { url: string } | undefined;
  return async () => {
    if (home !== undefined) return home;
    try {
      const response = await boundedFetch(index, { signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) return { why: `the feed answered ${response.status}` };
      const body = await response.json();
      const resources: unknown[] = isObject(body) && Array.isArray(body.resources) ? body.resources : [];
      const found = resources.find(isBaseAddress)?.['@id'];
      if (found === undefined)
        return { why: 'the feed lists no versions; Service:NuGetUrl must be the address of a v3 index' };
      home = { url: found.endsWith('/') ? found : `${found}/` };
      return home;
    } catch {
      return { why: 'the feed could not be reached' };
    }
  };
}
