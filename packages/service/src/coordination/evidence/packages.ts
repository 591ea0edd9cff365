import semver from 'semver';
import type { Binding } from '../plans/binding.ts';
import type { Observation } from './decide.ts';
import { type Manifest, requestedVersion } from './manifests.ts';

type PackageBinding = Extract<Binding, { kind: 'package' }>;

/** Longer than any real range. */
const longestRange = 256;
const loose = { loose: true } as const;
const fourParts = /^(\d+\.\d+\.\d+)\.\d+($|[-+])/;

/** NuGet's normal form: a fourth part of zero is omitted. */
const normaliseVersion = (version: string): string => version.trim().replace(/^(\d+\.\d+\.\d+)\.0+($|[-+])/, '$1$2');

/** NuGet versions have a fourth part that no range can express, so the first three parts are compared. */
const threeParts = (version: string): string => version.trim().replace(fourParts, '$1$2');

/** Whether a version fits: it is in the range, or equal if the binding names one with four parts. */
function isWanted(version: string, wanted: string): boolean {
  const exact = normaliseVersion(wanted);
  if (fourParts.test(exact)) return normaliseVersion(version).toLowerCase() === exact.toLowerCase();
  return semver.satisfies(threeParts(version), exact, loose);
}

/** Whether any of the versions on a feed is one that the binding asks for. */
export function observeVersions({ name, version, registry }: PackageBinding, versions: readonly string[]): Observation {
  if (semver.validRange(threeParts(version), loose) === null)
    return { state: 'notPublished', detail: `${version} is not a valid version range; correct the binding` };
  const newest = versions
    .filter((one) => isWanted(one, version))
    .sort((a, b) => semver.compare(threeParts(a), threeParts(b), loose))
    .at(-1);
  if (newest !== undefined) return { state: 'published', detail: `${name} ${newest} is on ${registry}` };
  const latest = versions.at(-1);
  return {
    state: 'notPublished',
    detail:
      latest === undefined
        ? `${name} is not on ${registry}`
        : `${registry} has no ${name} ${version}; its newest is ${latest}`,
  };
}

/** Whether every version that satisfies the manifest also satisfies the binding. */
export function takesVersion(requested: string, wanted: string): boolean {
  if (requested.length > longestRange) return false;
  if (fourParts.test(requested)) return isWanted(requested, wanted);
  const range = semver.validRange(rangeOf(requested.replace(/^(workspace|npm):/, '')), loose);
  if (range === null) return false;
  const least = semver.minVersion(range, loose);
  return least !== null && isWanted(least.version, wanted);
}

/** NuGet writes a range as an interval: `[2.0,3.0)`. */
function rangeOf(requested: string): string {
  const interval = /^([[(])([^,[\]()]*),([^,[\]()]*)([\])])$/.exec(requested.trim());
  if (!interval) return requested;
  const [, opens, low = '', high = '', closes] = interval;
  const from = low.trim() === '' ? '' : `${opens === '[' ? '>=' : '>'}${threeParts(low)}`;
  const to = high.trim() === '' ? '' : `${closes === ']' ? '<=' : '<'}${threeParts(high)}`;
  return `${from} ${to}`.trim();
}

/** The versions of a package that a repository's manifests require. `workspace:^` is the version that the repository itself gives it. */
export function requestedVersions(
  files: ReadonlyArray<readonly [path: string, manifest: Manifest]>,
  name: string,
): string[] {
  const own = files.find(([, manifest]) => manifest.name === name)?.[1].version ?? null;
  return files.flatMap(([, manifest]) => {
    const requested = requestedVersion(manifest, name);
    const sign = requested === undefined ? undefined : /^workspace:([*^~])$/.exec(requested)?.[1];
    if (sign === undefined || own === null) return requested ?? [];
    return sign === '*' ? own : `${sign}${own}`;
  });
}

/** Versions that are defined in another file: catalogs of pnpm, properties of MSBuild, a workspace without a version. */
export const isUnresolved = (requested: string): boolean => /^(?:catalog:|workspace:[*^~]$)|\$\(/.test(requested);
