import type { Announcement } from '../../kernel/announce.ts';
import type { Recorded } from '../../kernel/event-log.ts';
import type { WorkContext } from './context.ts';
import { sightOf } from './context.ts';
import { viewClaim } from './node-view.ts';

/** Tells, after each commit, which plans changed and which claims: those of other plans that were waiting included. */
export function createTeller(ctx: WorkContext): (events: readonly Recorded[]) => Announcement[] {
  const { picture } = ctx;
  picture.standing.takeMoved();
  return (events) => {
    const changed = new Map<string, Set<string>>();
    const note = (slug: string, id?: string) => {
      const ids = changed.get(slug) ?? new Set();
      if (id !== undefined) ids.add(id);
      changed.set(slug, ids);
    };
    for (const event of events) noteEvent(ctx, event, note);
    for (const vertex of picture.standing.takeMoved()) {
      const { plans, nodes } = picture.plans.graph;
      const slug = plans[vertex]?.slug;
      if (slug !== undefined && nodes[vertex]) note(slug, nodes[vertex].id);
    }
    const plans = [...changed].map(([slug, ids]) => planChanged(ctx, slug, [...ids]));
    return [...plans, ...claimsChanged(ctx, events)];
  };
}

function noteEvent({ picture }: WorkContext, event: Recorded, note: (slug: string, id?: string) => void): void {
  const slug = event.topic.startsWith('plan:')
    ? picture.plans.find(event.topic.slice('plan:'.length))?.slug
    : undefined;
  if (slug === undefined) return;
  const { id } = event.data as { id?: string };
  note(slug, id);
}

const planChanged = ({ picture }: WorkContext, slug: string, nodes: string[]): Announcement => ({
  type: 'plan_changed',
  subject: slug,
  data: { slug, version: picture.plans.find(slug)?.version ?? 0, nodes },
});

function claimsChanged(ctx: WorkContext, events: readonly Recorded[]): Announcement[] {
  const keys = new Set(events.flatMap(claimKey));
  return [...keys].flatMap((key) => claimChanged(ctx, key) ?? []);
}

const claimKey = ({ stream, type, data }: Recorded): string[] => {
  if (stream.startsWith('claim:')) return [stream.slice('claim:'.length)];
  const { id, ended } = data as { id?: string; ended?: object };
  return type === 'node_removed' && ended ? [`${stream.slice('plan:'.length)}/${id}`.toLowerCase()] : [];
};

/** How a claim reads now; for a change of health as well. */
export function claimChanged(ctx: WorkContext, key: string): Announcement | undefined {
  const { picture } = ctx;
  const vertex = picture.plans.graph.find(key);
  if (vertex === undefined) return undefined;
  const ref = picture.plans.refOf(vertex);
  const [plan = '', node = ''] = ref.split('/');
  const claim = picture.plans.graph.nodes[vertex] ? viewClaim(sightOf(ctx), vertex) : null;
  return { type: 'claim_changed', subject: ref, data: { plan, node, claim } };
}
