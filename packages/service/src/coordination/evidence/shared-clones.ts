import type { EvidenceObserver, EvidenceTarget } from './ports.ts';

/** What is asked of the other hosts of the store, and told to them. */
type CloneHosts = {
  /** Whether nobody else is heard of. */
  isAlone(): boolean;
  /** Which repositories this host can look into. */
  shareClones(repositories: ReadonlySet<string>): void;
  /** Whether this host, of those that can look into a repository, is the one that speaks for it. */
  isResponsibleFor(repository: string): boolean;
};

/**
 * Clones lie on some hosts and not on others, and are not fetched together. So a host without one is silent while others
 * may have it, and of those that do one speaks: else they would contradict each other at every look.
 */
export function sharedClones(clones: EvidenceObserver, hosts: CloneHosts): EvidenceObserver {
  return {
    kinds: clones.kinds,
    async observe(targets) {
      const observed = await clones.observe(targets);
      const readable = observed.filter(({ observation }) => observation.state !== null);
      hosts.shareClones(new Set(readable.map(({ target }) => repositoryOf(target))));
      return observed.filter(({ target, observation }) =>
        observation.state === null ? hosts.isAlone() : hosts.isResponsibleFor(repositoryOf(target)),
      );
    },
  };
}

const repositoryOf = ({ binding, repository }: EvidenceTarget): string =>
  ((binding.kind === 'dependency' ? binding.repository : repository) ?? '').toLowerCase();
