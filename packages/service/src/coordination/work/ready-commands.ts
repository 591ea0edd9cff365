import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { activePlan } from '../plans/find-plan.ts';
import { given, givenArchived } from '../plans/samples.ts';
import { readyEntry } from './contract.ts';
import { readyNodes } from './ready-nodes.ts';
import { viewInList } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();
const held = [...given, ['claim_node', { plan: 'checkout-2', node: 'lexer', agent: 'ada' }]] as const;

export const nextReady = command({
  name: 'next_ready_nodes',
  description: 'Ready work, best first: nodes that unblock the most open work. claimedBy names the holder of a node.',
  effect: 'read',
  scope: 'read',
  gate: 'workLoop',
  input: z.strictObject({
    plan: z.string().optional(),
    repository: z.string().nullish(),
    label: z.string().optional(),
    unclaimed: z.boolean().optional().describe('Without claimed ones'),
    view: z.enum(['brief', 'full']).optional().meta({ 'x-toolDefault': 'brief' }),
    ...paging,
  }),
  output: listOf(readyEntry),
  rest: {
    method: 'GET',
    path: '/api/plans/ready',
    query: ['plan', 'repository', 'label', 'unclaimed', 'view', 'limit', 'offset', 'cursor'],
  },
  examples: [
    { title: 'all of it', given, input: {} },
    { title: 'unclaimed nodes of one plan', given: held, input: { plan: 'checkout-2', unclaimed: true } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
    { title: 'an archived plan', given: givenArchived, input: { plan: 'checkout-2' }, refused: 'plan_not_found' },
  ],
  async run(ctx, input) {
    await ctx.orderSettled();
    const { workState } = ctx;
    const plan = input.plan === undefined ? undefined : activePlan(workState.plans, input.plan);
    if (isRefusal(plan)) return plan;
    const view = viewContextOf(ctx);
    const ready = readyNodes(view, input);
    const wanted = input.unclaimed ? ready.filter((vertex) => !workState.liveLease(vertex, view.now)) : ready;
    return listPage(wanted, input, (vertex) => viewInList(view, vertex, input));
  },
});
