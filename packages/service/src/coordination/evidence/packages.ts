import semver from 'semver';
import type { Binding } from '../plans/binding.ts';
import type { Observation } from './decide.ts';

type PackageBinding = Extract<Binding, { kind: 'package' }>;

/** Whether any of the versions on a feed is one that the binding asks for. */
export function observeVersions({ name, version, registry }: PackageBinding, versions: readonly string[]): Observation {
  const range = semver.validRange(version, { loose: true });
  if (range === null) return { state: 'notPublished', detail: `${version} is no range of versions; mend the binding` };
  const newest = semver.maxSatisfying(
    versions.filter((one) => semver.valid(one, { loose: true })),
    range,
    { loose: true },
  );
  if (newest !== null) return { state: 'published', detail: `${name} ${newest} is on ${registry}` };
  const latest = versions.at(-1);
  return {
    state: 'notPublished',
    detail:
      latest === undefined
        ? `${name} is not on ${registry}`
        : `${registry} has no ${name} ${version}; its newest is ${latest}`,
  };
}

/** Whether what a manifest asks for can only be had as a version that the binding wants. */
export function takesVersion(asked: string, wanted: string): boolean {
  const range = semver.validRange(asked.replace(/^(workspace|npm):/, ''), { loose: true });
  const goal = semver.validRange(wanted, { loose: true });
  if (range === null || goal === null) return false;
  const least = semver.minVersion(range, { loose: true });
  return least !== null && semver.satisfies(least, goal, { loose: true });
}
