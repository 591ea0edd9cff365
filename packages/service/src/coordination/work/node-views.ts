import { z } from 'zod';
import { nodeView } from '../plans/node-view.ts';
import type { ViewContext } from './claim-session.ts';
import { viewNode, viewNodeForWork, viewNodeInBrief } from './view-node.ts';

/** What an agent needs to start: the answer of a claim carries it. */
export const workView = nodeView.pick({
  plan: true,
  id: true,
  ref: true,
  title: true,
  description: true,
  repository: true,
  labels: true,
  binding: true,
  status: true,
  ready: true,
  claimedBy: true,
  why: true,
  dependsOn: true,
  lastClaim: true,
});

/** What changed for an agent that knows the node already. */
export const briefView = nodeView.pick({
  plan: true,
  id: true,
  ref: true,
  status: true,
  ready: true,
  claimedBy: true,
  why: true,
});

/** One line of a list to choose from. */
export const listedView = briefView.extend(
  nodeView.pick({ title: true, repository: true, labels: true, leverage: true }).shape,
);

/** The larger one comes first: a union answers with the first that fits, and would drop the rest. */
export const workOrFull = z.union([nodeView, workView]);
export const briefOrFull = z.union([nodeView, briefView]);
export const listedOrFull = z.union([nodeView, listedView]);

/** `full` gives everything that is known of the node. */
export const fullView = z.enum(['full']).nullish();
type Wanted = { view?: 'full' | 'brief' | null | undefined };

export const viewForWork = (context: ViewContext, vertex: number, { view }: Wanted): z.output<typeof workOrFull> =>
  view === 'full' ? viewNode(context, vertex) : viewNodeForWork(context, vertex);

export const viewInBrief = (context: ViewContext, vertex: number, { view }: Wanted): z.output<typeof briefOrFull> =>
  view === 'full' ? viewNode(context, vertex) : viewNodeInBrief(context, vertex);

export const viewInList = (context: ViewContext, vertex: number, { view }: Wanted): z.output<typeof listedOrFull> =>
  view === 'brief' ? pick(listedView.shape, viewNode(context, vertex)) : viewNode(context, vertex);

function pick<Shape extends object, Node extends Record<keyof Shape, unknown>>(shape: Shape, node: Node) {
  const members = Object.keys(shape) as (keyof Shape)[];
  return Object.fromEntries(members.map((member) => [member, node[member]])) as Pick<Node, keyof Shape>;
}
