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

test('one host reports what no host can see; if another host can see it, this one is silent', async () => {
  const told = async (isResponsible: boolean, isReadElsewhere: boolean) => {
    const duty = {
      isResponsible: () => isResponsible,
      isReadElsewhere: () => isReadElsewhere,
      shareClones: () => undefined,
      isResponsibleFor: () => true,
    };
    return (await sharedClones(clones, duty).observe(targets)).map((seen) => seen.target.repository);
  };
  expect(await told(true, false)).toEqual(['acme/Here', 'acme/elsewhere']);
  expect(await told(true, true)).toEqual(['acme/Here']);
  expect(await told(false, false)).toEqual(['acme/Here']);
});

test('one of the hosts with a clone reports, and every host lists its clones', async () => {
  const sights: string[] = [];
  const duty = {
    isResponsible: () => false,
    isReadElsewhere: () => false,
    shareClones: (repositories: ReadonlySet<string>) => void sights.push(...repositories),
    isResponsibleFor: (repository: string) => repository !== 'acme/here',
  };
  expect(await sharedClones(clones, duty).observe(targets)).toEqual([]);
  expect(sights).toEqual(['acme/here']);
});
