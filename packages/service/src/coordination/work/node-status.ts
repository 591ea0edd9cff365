import type { Proof } from '../evidence/node-evidence.ts';
import type { Status } from '../plans/contract.ts';

export type StatusFacts = { proof: Proof; claimed: boolean; submitted: boolean; blocked: boolean };

/** The status of a node: evidence outranks a claim, a claim a submission, and a submission the node's dependencies. */
export function nodeStatus({ proof, claimed, submitted, blocked }: StatusFacts): Status {
  if (proof !== 'open') return proof;
  if (claimed) return 'claimed';
  if (submitted) return 'submitted';
  return blocked ? 'blocked' : 'ready';
}
