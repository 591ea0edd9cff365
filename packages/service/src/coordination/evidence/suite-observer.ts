import type { Runs } from '../runs/ports.ts';
import { blind, type Observer, type Seen, type Target } from './ports.ts';
import { observeSuite } from './suite.ts';

/** Suites are observed through the runs that the console knows, in process or over the wire. */
export function createSuiteObserver(runs: Runs): Observer {
  return {
    kinds: ['suite'],
    async look(targets) {
      const { runs: known, ageMs } = await runs.known();
      // Right after a start the publishers' own figures stand for what is not counted yet; they prove nothing.
      if (known.some(({ counted }) => counted === false)) return [];
      const away = ageMs === null ? '' : ` (the console was last heard ${Math.round(ageMs / 1000)} s ago)`;
      return targets.flatMap((target) => seenBy(target, () => observe(target, known), away));
    },
  };
}

function observe({ binding, repository, settledBy }: Target, known: Parameters<typeof observeSuite>[2]) {
  return binding.kind === 'suite' ? observeSuite(binding, repository, known, settledBy) : undefined;
}

/** No matching run is no observation: ejecting or ageing out a run leaves the last evidence standing. */
function seenBy(target: Target, look: () => ReturnType<typeof observe>, away: string): Seen[] {
  const observation = look();
  if (observation) return [{ target, observation }];
  return target.seenBefore
    ? [blind(target, `its last run is no longer on the board; what it said still stands${away}`)]
    : [];
}
