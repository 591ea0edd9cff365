import type { Proof } from '../evidence/node-evidence.ts';
import type { Status } from '../plans/contract.ts';

/** The status of a node: what evidence says outranks a claim, and a claim outranks what the node waits for. */
export function nodeStatus({ proof, claimed, blocked }: { proof: Proof; claimed: boolean; blocked: boolean }): Status {
  if (proof !== 'open') return proof;
  if (claimed) return 'claimed';
  return blocked ? 'blocked' : 'ready';
}
