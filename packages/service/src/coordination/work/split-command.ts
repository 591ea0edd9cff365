import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { endedClaim, refuseOthers } from '../claims/decide.ts';
import { nodeDocument } from '../plans/contract.ts';
import { appendsOf, splitNode } from '../plans/decide.ts';
import { activeNode } from '../plans/find-plan.ts';
import { given, givenArchived } from '../plans/samples.ts';
import { claimantOf, claimStreamOf, factsOf } from './claiming.ts';
import { agent, fence, note, session, splitAnswer } from './contract.ts';
import { viewInBrief } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const ada = { plan: 'checkout-2', node: 'lexer', agent: 'ada' };
const held = [...given, ['claim_node', ada]] as const;
const nodes = [
  { id: 'numbers', title: 'Lex numbers' },
  { id: 'words', dependsOn: ['numbers'] },
];

export const split = command({
  name: 'split_node',
  description: 'Add smaller nodes that a node you hold then depends on, and release that node.',
  effect: 'write',
  scope: 'work',
  gate: 'workLoop',
  input: z.strictObject({
    plan: z.string(),
    node: z.string(),
    agent,
    nodes: z
      .array(nodeDocument)
      .min(1)
      .max(100)
      .describe('{ id, title, description, dependsOn, binding } each')
      .meta({ 'x-inWords': true }),
    note,
    session,
    fence,
  }),
  output: splitAnswer,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes/{node}/split' },
  examples: [
    { title: 'into two', given: held, input: { ...ada, nodes, note: 'two things in one' } },
    { title: 'somebody else holds it', given: held, input: { ...ada, agent: 'bob', nodes }, refused: 'not_holder' },
    { title: 'nobody holds it', given, input: { ...ada, nodes }, refused: 'not_holder' },
    { title: 'a fence of an older claim', given: held, input: { ...ada, nodes, fence: 7 }, refused: 'stale_fence' },
    {
      title: 'a node that exists',
      given: held,
      input: { ...ada, nodes: [{ id: 'PARSER' }] },
      refused: 'node_exists',
    },
    { title: 'into nothing', given: held, input: { ...ada, nodes: [] }, refused: 'invalid_request' },
    {
      title: 'into a node that waits for it',
      given: held,
      input: { ...ada, nodes: [{ id: 'numbers', dependsOn: ['parser'] }] },
      refused: 'cycle',
    },
    { title: 'no agent', given, input: { plan: 'checkout-2', node: 'lexer', nodes }, refused: 'agent_required' },
    { title: 'an unknown plan', input: { ...ada, plan: 'nowhere', nodes }, refused: 'plan_not_found' },
    { title: 'an unknown node', given, input: { ...ada, node: 'nothing', nodes }, refused: 'node_not_found' },
    { title: 'an archived plan', given: givenArchived, input: { ...ada, nodes }, refused: 'plan_not_found' },
  ],
  recall(ctx, input) {
    const vertex = ctx.workState.find(input.plan, input.node);
    if (vertex === undefined) return undefined;
    return { split: true as const, nodes: refsOf(ctx, input), node: viewInBrief(viewContextOf(ctx), vertex, {}) };
  },
  run(ctx, input, caller) {
    const ask = claimantOf(input, caller, ctx.sessions);
    return ctx.log.commit((now) => {
      const vertex = activeNode(ctx.workState.plans, input.plan, input.node);
      if (isRefusal(vertex)) return vertex;
      const facts = factsOf(ctx, vertex, now);
      const refused = refuseOthers(ask, facts);
      if (refused) return refused;
      const authored = splitNode(ctx.workState.plans, input.plan, input.node, {
        agent: input.agent,
        nodes: input.nodes,
        ended: endedClaim(input.note, facts),
        claimStream: claimStreamOf(ctx, vertex),
      });
      if (isRefusal(authored)) return authored;
      return {
        append: appendsOf(authored, input.agent),
        reads: authored.reads ?? [],
        answer: () => ({
          split: true as const,
          nodes: refsOf(ctx, input),
          node: viewInBrief({ ...ctx, now }, vertex, {}),
        }),
      };
    });
  },
});

const refsOf = (
  { workState }: WorkContext,
  { plan, nodes: parts }: { plan: string; nodes: readonly { id: string }[] },
) => parts.map(({ id }) => workState.plans.refOf(workState.plans.vertex(plan, id)));
