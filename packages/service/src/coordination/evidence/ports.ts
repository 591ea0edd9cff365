import type { Binding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import type { Observation } from './decide.ts';
import type { EndedRun } from './evidence.ts';

/** A bound node that an observer is to look at. */
export type Target = {
  ref: Ref;
  binding: Binding;
  /** The node's effective repository. */
  repository: string | null;
  /** Whether something was seen of it before: then a 404 is a loss of sight, not an absence. */
  seenBefore: boolean;
  /** The ended run that the evidence is of, where it is one. */
  settledBy: EndedRun | null;
};

export type Seen = { target: Target; observation: Observation };

/** Looks at all its nodes at once, so that many cost few requests. It never throws: what it cannot see it says. */
export type Observer = {
  kinds: readonly Binding['kind'][];
  look(targets: readonly Target[]): Promise<readonly Seen[]>;
};

/** Lost sight: the last evidence stands, and the detail says why nothing newer is known, unless another host may know. */
export const blind = (target: Target, why: string | null): Seen => ({
  target,
  observation: { state: null, detail: why },
});
