import type { Health, NodeView, Status } from '../live/wire.ts';
import { type Look, looks } from '../ui/tone.tsx';

export const statusLook: Record<Status, Look> = {
  done: looks.done,
  running: looks.running,
  failed: looks.failed,
  claimed: looks.claimed,
  blocked: looks.blocked,
  ready: looks.ready,
};

/** An unlinked claim is a plain lease: claimed, and nothing known of its health. */
export const claimLook = (health: Health): Look => (health === 'unlinked' ? looks.claimed : looks[health]);

/** Status and claim health are two axes; a claim in trouble shows its trouble, everything else its status. */
export function nodeLook({ status, claim }: Pick<NodeView, 'status' | 'claim'>): Look {
  return status === 'claimed' && claim ? claimLook(claim.health) : statusLook[status];
}

/** In the order they are read: what is behind us, what moves, what hurts, what waits. */
const reading: readonly Look[] = [
  looks.done,
  looks.running,
  looks.held,
  looks.claimed,
  looks.stalled,
  looks.orphaned,
  looks.unknown,
  looks.failed,
  looks.ready,
  looks.blocked,
];

export function countLooks(nodes: readonly NodeView[]): { look: Look; count: number }[] {
  const counts = new Map<Look, number>();
  for (const node of nodes) {
    const look = nodeLook(node);
    counts.set(look, (counts.get(look) ?? 0) + 1);
  }
  return reading.map((look) => ({ look, count: counts.get(look) ?? 0 })).filter(({ count }) => count > 0);
}

const worst: readonly Look[] = [
  looks.orphaned,
  looks.failed,
  looks.stalled,
  looks.unknown,
  looks.running,
  looks.held,
  looks.claimed,
  looks.ready,
  looks.blocked,
  looks.done,
];

/** Lower comes first where attention leads. */
export const urgency = (node: NodeView): number => worst.indexOf(nodeLook(node));
