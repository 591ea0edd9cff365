import type { Observer, Target } from '../coordination/evidence/ports.ts';
import type { Hosts } from './hosts.ts';

type Duty = Pick<Hosts, 'isAlone' | 'looksInto' | 'onDutyFor'>;

/**
 * Clones lie on some hosts and not on others, and are not fetched together. So a host without one is silent while others
 * may have it, and of those that do one speaks: else they would contradict each other at every look.
 */
export function sharedClones(clones: Observer, hosts: Duty): Observer {
  return {
    kinds: clones.kinds,
    async look(targets) {
      const seen = await clones.look(targets);
      const inSight = seen.filter(({ observation }) => observation.state !== null);
      hosts.looksInto(new Set(inSight.map(({ target }) => repositoryOf(target))));
      return seen.filter(({ target, observation }) =>
        observation.state === null ? hosts.isAlone() : hosts.onDutyFor(repositoryOf(target)),
      );
    },
  };
}

const repositoryOf = ({ binding, repository }: Target): string =>
  ((binding.kind === 'dependency' ? binding.repository : repository) ?? '').toLowerCase();
