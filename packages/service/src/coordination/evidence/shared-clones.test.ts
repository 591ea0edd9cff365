import { expect, test } from 'vitest';
import { type EvidenceObserver, type EvidenceTarget, unobservable } from './ports.ts';
import { sharedClones } from './shared-clones.ts';

const target = (repository: string): EvidenceTarget => ({
  ref: { plan: 'p', node: repository.replace('/', '-') },
  binding: { kind: 'commit' },
  repository,
  observedBefore: false,
  settledBy: null,
});
const clones: EvidenceObserver = {
  kinds: ['commit', 'dependency'],
  observe: async (targets) =>
    targets.map((each) =>
      each.repository === 'acme/Here'
        ? { target: each, observation: { state: 'committed', detail: 'seen' } }
        : unobservable(each, 'no clone'),
    ),
};
const targets = [target('acme/Here'), target('acme/elsewhere')];

test('a host alone says what it cannot see; beside others it is silent about that', async () => {
  const told = async (isAlone: boolean) => {
    const duty = { isAlone: () => isAlone, shareClones: () => undefined, isResponsibleFor: () => true };
    return (await sharedClones(clones, duty).observe(targets)).map((seen) => seen.target.repository);
  };
  expect(await told(true)).toEqual(['acme/Here', 'acme/elsewhere']);
  expect(await told(false)).toEqual(['acme/Here']);
});

test('of the hosts that have a clone one speaks, and all tell which they have', async () => {
  const sights: string[] = [];
  const duty = {
    isAlone: () => false,
    shareClones: (repositories: ReadonlySet<string>) => void sights.push(...repositories),
    isResponsibleFor: (repository: string) => repository !== 'acme/here',
  };
  expect(await sharedClones(clones, duty).observe(targets)).toEqual([]);
  expect(sights).toEqual(['acme/here']);
});
