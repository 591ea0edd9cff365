import type { EvidenceObserver, EvidenceTarget } from './ports.ts';

/** What hosts of one store ask each other, and answer. */
type CloneHosts = {
  /** Whether this host, of all that are heard of, says what none of them can see. */
  isResponsible(what: string): boolean;
  /** Whether another host can look into a repository. */
  isReadElsewhere(repository: string): boolean;
  /** Which repositories this host can look into. */
  shareClones(repositories: ReadonlySet<string>): void;
  /** Whether this host, of those that can look into a repository, is the one that speaks for it. */
  isResponsibleFor(repository: string): boolean;
};

/**
 * Clones lie on some hosts and not on others, and are not fetched together. So a host without one is silent while another
 * has it, and of those that do one speaks: else they would contradict each other at every look. Where none has it, one says so.
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
