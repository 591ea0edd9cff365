import type { Health, NodeView, Status } from '../../live/wire.ts';
import { type Appearance, appearances } from '../../ui/appearance.tsx';

export const statusAppearance: Record<Status, Appearance> = {
  done: appearances.done,
  running: appearances.running,
  failed: appearances.failed,
  claimed: appearances.claimed,
  submitted: appearances.submitted,
  blocked: appearances.blocked,
  ready: appearances.ready,
};

/** A claim whose session works, or which has no session, is shown as claimed. */
export const claimAppearance = (health: Health): Appearance =>
  health === 'unlinked' || health === 'held' ? appearances.claimed : appearances[health];

/** A claimed node shows the health of its claim; every other node shows its status. */
export function nodeAppearance({ status, claim }: Pick<NodeView, 'status' | 'claim'>): Appearance {
  return status === 'claimed' && claim ? claimAppearance(claim.health) : statusAppearance[status];
}

/** The order in a state bar: done, in progress, in trouble, waiting. */
export const readingOrder: readonly Appearance[] = [
  appearances.done,
  appearances.running,
  appearances.claimed,
  appearances.submitted,
  appearances.stalled,
  appearances.orphaned,
  appearances.unknown,
  appearances.failed,
  appearances.ready,
  appearances.blocked,
];

export function countByAppearance(nodes: readonly NodeView[]): { appearance: Appearance; count: number }[] {
  const counts = new Map<Appearance, number>();
  for (const node of nodes) {
    const appearance = nodeAppearance(node);
    counts.set(appearance, (counts.get(appearance) ?? 0) + 1);
  }
  return readingOrder
    .map((appearance) => ({ appearance, count: counts.get(appearance) ?? 0 }))
    .filter(({ count }) => count > 0);
}

const worstFirst: readonly Appearance[] = [
  appearances.orphaned,
  appearances.failed,
  appearances.stalled,
  appearances.unknown,
  appearances.running,
  appearances.claimed,
  appearances.submitted,
  appearances.ready,
  appearances.blocked,
  appearances.done,
];

/** Lower is more urgent. */
export const nodeUrgency = (node: NodeView): number => worstFirst.indexOf(nodeAppearance(node));
