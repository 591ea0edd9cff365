import type { Tokens } from '../../kernel/claim-view.ts';
import type { Lease } from '../claims/lease.ts';
import type { ClaimLink, ClaimLinks, LinkedClaim } from './ports.ts';
import type { WorkState } from './work-state.ts';

/** What a view of nodes and claims is made from. */
export type ViewContext = { workState: WorkState; links: ClaimLinks; now: string };

export const repositoryOfNode = ({ plans: { graph } }: WorkState, vertex: number): string | null =>
  graph.nodes[vertex]?.repository ?? graph.plans[vertex]?.repository ?? null;

type LinkContext = Pick<ViewContext, 'workState' | 'links'>;

const linkedClaim = ({ workState }: LinkContext, vertex: number, lease: Lease): LinkedClaim => ({
  key: workState.keyOf(vertex),
  lease,
  repository: repositoryOfNode(workState, vertex),
});

export const linkOf = (context: LinkContext, vertex: number, lease: Lease): ClaimLink =>
  context.links.of(linkedClaim(context, vertex, lease));

export const tokensUsedBy = (context: LinkContext, vertex: number, lease: Lease): Tokens | null =>
  context.links.tokensUsed(linkedClaim(context, vertex, lease));
