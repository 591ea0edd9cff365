import type { Binding } from '../plans/binding.ts';
import type { Ref } from '../plans/refs.ts';
import type { Observation } from './decide.ts';
import type { EndedRun } from './events.ts';

/** A bound node that an observer is to check. */
export type EvidenceTarget = {
  ref: Ref;
  binding: Binding;
  /** The node's effective repository. */
  repository: string | null;
  /** Whether it was observed before: a 404 then does not prove that it is missing. */
  observedBefore: boolean;
  /** The ended run that the evidence comes from, if there is one. */
  settledBy: EndedRun | null;
  /** Runs whose proof of this node was withdrawn. */
  withdrawn?: readonly string[];
};

export type TargetObservation = { target: EvidenceTarget; observation: Observation };

/** Checks all its nodes at once, so that many cost few requests. It never throws: failures are part of the answer. */
export type EvidenceObserver = {
  kinds: readonly Binding['kind'][];
  observe(targets: readonly EvidenceTarget[]): Promise<readonly TargetObservation[]>;
};

/** The last evidence remains valid; `detail` explains why nothing newer is known. Null if another host may know. */
export const unobservable = (target: EvidenceTarget, why: string | null): TargetObservation => ({
  target,
  observation: { state: null, detail: why },
});
