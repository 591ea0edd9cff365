import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { AgentsContext } from '../agents/commands.ts';
import type { RunsContext } from '../runs/commands.ts';
import type { ViewContext } from '../work/claim-session.ts';
import { isPlanOverBudget, parkedOf } from '../work/parked.ts';
import { countStatuses, summarise, verticesOf } from '../work/summary.ts';
import { viewNode } from '../work/view-node.ts';
import { viewContextOf, type WorkContext } from '../work/work-context.ts';
import { needs } from './contract.ts';
import { needsOf } from './decide.ts';

type NeedsContext = WorkContext & AgentsContext & RunsContext;

/** Not because its whole plan is: that is one need. */
const isParkedAlone = (view: ViewContext, vertex: number): boolean => {
  const plan = view.workState.plans.graph.plans[vertex];
  const parked = parkedOf(view, vertex);
  return parked === 'attempts' || (parked === 'budget' && !(plan && isPlanOverBudget(view, plan)));
};

const command = commandFor<NeedsContext>();

const listNeeds = command({
  name: 'list_needs',
  description:
    'What needs a person now, most urgent first: agents that wait, orphaned and stalled claims, contested trees, failed evidence, work that failed too often, work handed in that a person must judge, failing live runs, unreadable runs or consoles, worktrees to clean up; and counts of everything else.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({}),
  output: needs,
  rest: { method: 'GET', path: '/api/needs' },
  examples: [{ title: 'everything', input: {} }],
  async run(ctx) {
    const { workState, agents, runs } = ctx;
    const view = viewContextOf(ctx);
    const active = [...workState.plans.all()].filter(({ archivedAt }) => archivedAt === null);
    const vertices = active.flatMap((plan) => verticesOf(workState, plan));
    const failed = vertices.filter((vertex) => workState.status(vertex, view.now) === 'failed');
    const submitted = vertices.filter((vertex) => workState.submissionOf(vertex, view.now));
    const parked = vertices.filter((vertex) => isParkedAlone(view, vertex));
    const overBudget = active.filter((plan) => isPlanOverBudget(view, plan));
    const listed = await runs.list();
    return needsOf({
      board: agents.all('7d'),
      failed: failed.map((vertex) => viewNode(view, vertex)),
      parked: parked.map((vertex) => viewNode(view, vertex)),
      overBudget: overBudget.map((plan) => summarise(view, plan)),
      submitted: submitted.map((vertex) => viewNode(view, vertex)),
      now: view.now,
      runs: listed.runs,
      consoleTrouble: listed.trouble ?? null,
      ready: countStatuses(workState, vertices, view.now).ready,
      claimed: vertices.filter((vertex) => workState.liveLease(vertex, view.now)).length,
    });
  },
});

export const needsCommands = [listNeeds] as const;
