import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { AgentsContext } from '../agents/commands.ts';
import { given } from '../plans/samples.ts';
import type { RunsContext } from '../runs/commands.ts';
import type { TreesContext } from '../trees/commands.ts';
import type { ViewContext } from '../work/claim-session.ts';
import { isPlanOverBudget, parkedOf } from '../work/parked.ts';
import { countStatuses, summarise, verticesOf } from '../work/summary.ts';
import { viewNode } from '../work/view-node.ts';
import { viewContextOf, type WorkContext } from '../work/work-context.ts';
import { type HeldNode, needs } from './contract.ts';
import { forPerson, needsOf } from './decide.ts';

type NeedsContext = WorkContext & AgentsContext & TreesContext & RunsContext;

/** Not because its whole plan is: that is one need. */
const isParkedAlone = (view: ViewContext, vertex: number): boolean => {
  const plan = view.workState.plans.graph.plans[vertex];
  const parked = parkedOf(view, vertex);
  return parked === 'attempts' || (parked === 'budget' && !(plan && isPlanOverBudget(view, plan)));
};

const command = commandFor<NeedsContext>();

const held = [...given, ['claim_node', { plan: 'checkout-2', node: 'lexer', agent: 'ada' }]] as const;

const listNeeds = command({
  name: 'list_needs',
  description:
    'What needs a person now, most urgent first: agents that wait, orphaned and stalled claims, contested trees, changes of the same lines, failed evidence, work that failed too often, work handed in that a person must judge, failing live runs, unreadable runs or consoles, worktrees to clean up; and counts of everything else.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({
    for: z.string().nullish().describe("Whose needs come first, with their claims (default: the token's name)"),
  }),
  output: needs,
  rest: { method: 'GET', path: '/api/needs' },
  examples: [
    { title: 'everything', input: {} },
    { title: 'first what concerns ada, and what ada holds', given: held, input: { for: 'ada' } },
  ],
  async run(ctx, { for: named }, caller) {
    const { workState, agents, runs } = ctx;
    const view = viewContextOf(ctx);
    const active = [...workState.plans.all()].filter(({ archivedAt }) => archivedAt === null);
    const vertices = active.flatMap((plan) => verticesOf(workState, plan));
    const failed = vertices.filter((vertex) => workState.status(vertex, view.now) === 'failed');
    const submitted = vertices.filter((vertex) => workState.submissionOf(vertex, view.now));
    const parked = vertices.filter((vertex) => isParkedAlone(view, vertex));
    const overBudget = active.filter((plan) => isPlanOverBudget(view, plan));
    const listed = await runs.list();
    const found = needsOf({
      board: agents.all('7d'),
      failed: failed.map((vertex) => viewNode(view, vertex)),
      parked: parked.map((vertex) => viewNode(view, vertex)),
      overBudget: overBudget.map((plan) => summarise(view, plan)),
      submitted: submitted.map((vertex) => viewNode(view, vertex)),
      overlaps: ctx.overlapBoard.list({}),
      now: view.now,
      runs: listed.runs,
      consoleTrouble: listed.trouble ?? null,
      ready: countStatuses(workState, vertices, view.now).ready,
      claimed: vertices.filter((vertex) => workState.liveLease(vertex, view.now)).length,
    });
    const name = named ?? caller.token;
    return name ? forPerson(found, name, claimsOf(ctx, name, view.now)) : found;
  },
});

/** What `name` holds, first what runs out first. */
function claimsOf({ workState }: NeedsContext, name: string, now: string): HeldNode[] {
  const { claims, plans } = workState;
  return [...claims.open()]
    .flatMap((key) => {
      const vertex = plans.graph.find(key);
      const lease = vertex === undefined ? null : workState.liveLease(vertex, now);
      if (vertex === undefined || lease?.agent.toLowerCase() !== name.toLowerCase()) return [];
      const { title = '' } = plans.graph.nodes[vertex] ?? {};
      return [{ ref: plans.refOf(vertex), title, expiresAt: lease.expiresAt }];
    })
    .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1));
}

export const needsCommands = [listNeeds] as const;
