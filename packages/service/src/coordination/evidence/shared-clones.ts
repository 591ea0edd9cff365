import type { EvidenceObserver, EvidenceTarget } from './ports.ts';

/** The questions that hosts of one store ask each other. */
type CloneHosts = {
  /** Whether this host is responsible for reporting that no host has a clone. */
  isResponsible(what: string): boolean;
  /** Whether another host has a clone of a repository. */
  isReadElsewhere(repository: string): boolean;
  /** The repositories that this host has clones of. */
  shareClones(repositories: ReadonlySet<string>): void;
  /** Whether this host is the one that reports on a repository, among those with a clone of it. */
  isResponsibleFor(repository: string): boolean;
};

/**
 * Only some hosts have a clone, and clones are not fetched at the same time. So only one host with a clone reports, otherwise hosts would contradict each other at every check. If no host has one, one host reports that.
 */
export function sharedClones(clones: EvidenceObserver, hosts: CloneHosts): EvidenceObserver {
  return {
    kinds: clones.kinds,
    async observe(targets) {
      const observed = await clones.observe(targets);
      const readable = observed.filter(({ observation }) => observation.state !== null);
      hosts.shareClones(new Set(readable.map(({ target }) => repositoryOf(target))));
      return observed.filter(({ target, observation }) =>
        observation.state === null
          ? hosts.isResponsible(`clone ${repositoryOf(target)}`) && !hosts.isReadElsewhere(repositoryOf(target))
          : hosts.isResponsibleFor(repositoryOf(target)),
      );
    },
  };
}

const repositoryOf = ({ binding, repository }: EvidenceTarget): string =>
  ((binding.kind === 'dependency' ? binding.repository : repository) ?? '').toLowerCase();
