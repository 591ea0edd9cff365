import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { Announcement } from '../../kernel/messages.ts';
import { isOfKind, type NodeKey, nodeKeyOf, partsOfRef, planOf } from '../../kernel/streams.ts';
import { removedNode, splitNode } from '../plans/removed-node.ts';
import { isStored } from '../stored-event.ts';
import { viewClaimWithPrevious } from './view-node.ts';
import type { WorkContext } from './work-context.ts';
import { viewContextOf } from './work-context.ts';

/** After each commit, announces which plans and claims changed, including plans whose nodes were waiting on another plan. */
export function createWorkAnnouncer(ctx: WorkContext): (events: readonly RecordedEvent[]) => Announcement[] {
  const { workState } = ctx;
  workState.progress.takeChanged();
  return (events) => {
    const changed = new Map<string, Set<string>>();
    const note = (slug: string, id?: string) => {
      const ids = changed.get(slug) ?? new Set();
      if (id !== undefined) ids.add(id);
      changed.set(slug, ids);
    };
    for (const event of events) noteEvent(ctx, event, note);
    for (const vertex of workState.progress.takeChanged()) {
      const { plans, nodes } = workState.plans.graph;
      const slug = plans[vertex]?.slug;
      if (slug !== undefined && nodes[vertex]) note(slug, nodes[vertex].id);
    }
    const plans = [...changed].map(([slug, ids]) => planChanged(ctx, slug, [...ids]));
    return [...plans, ...claimsChanged(ctx, events)];
  };
}

function noteEvent({ workState }: WorkContext, event: RecordedEvent, note: (slug: string, id?: string) => void): void {
  const plan = planOf(event);
  const slug = plan === undefined ? undefined : workState.plans.find(plan)?.slug;
  if (slug !== undefined) note(slug, nodeIn(event));
}

/** The node that an event names; other affected nodes are found through their progress. */
function nodeIn(event: RecordedEvent): string | undefined {
  if (isStored(event, 'plan')) return 'id' in event.data ? event.data.id : undefined;
  return isStored(event, 'claim') || isStored(event, 'evidence') ? event.data.id : undefined;
}

const planChanged = ({ workState }: WorkContext, slug: string, nodes: string[]): Announcement => ({
  type: 'plan_changed',
  data: { slug, version: workState.plans.find(slug)?.version ?? 0, nodes },
});

function claimsChanged(ctx: WorkContext, events: readonly RecordedEvent[]): Announcement[] {
  const keys = new Set(events.flatMap(claimKey));
  return [...keys].flatMap((key) => claimChanged(ctx, key) ?? []);
}

const claimKey = (event: RecordedEvent): NodeKey[] => {
  if (isOfKind(event, 'claim')) return [nodeKeyOf(event)];
  const split = splitNode(event);
  if (split) return [split.key];
  const removed = removedNode(event);
  return removed?.ended ? [removed.key] : [];
};

/** The message for one claim in its current state; also sent when only its health changed. */
export function claimChanged(ctx: WorkContext, key: NodeKey): Announcement | undefined {
  const { workState } = ctx;
  const vertex = workState.plans.graph.find(key);
  if (vertex === undefined) return undefined;
  const { plan, node } = partsOfRef(workState.plans.refOf(vertex));
  const claim = workState.plans.graph.nodes[vertex] ? viewClaimWithPrevious(viewContextOf(ctx), vertex) : null;
  return { type: 'claim_changed', data: { plan, node, claim } };
}
