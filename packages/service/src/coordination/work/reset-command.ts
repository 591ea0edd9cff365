import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { resetAttempts } from '../claims/decide.ts';
import { anyNode } from '../plans/find-plan.ts';
import { actor, by } from '../plans/names.ts';
import { given } from '../plans/samples.ts';
import { claimAppend, factsOf, planStreamOf } from './claiming.ts';
import { resetAnswer } from './contract.ts';
import { viewInBrief } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const lexer = { plan: 'checkout-2', node: 'lexer' };
const ada = { ...lexer, agent: 'ada' };
const failed = [...given, ['claim_node', ada], ['release_node', { ...ada, outcome: 'failed' }]] as const;

export const reset = command({
  name: 'reset_node',
  description: 'Forget the failed attempts of a node: claim_next hands it out again.',
  effect: 'write',
  scope: 'author',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({ plan: z.string(), node: z.string(), by }),
  output: resetAnswer,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes/{node}/reset', query: ['by'] },
  examples: [
    { title: 'a node that failed', given: failed, input: { ...lexer, by: 'eve' } },
    { title: 'nothing failed', given, input: lexer },
    { title: 'an unknown plan', input: { ...lexer, plan: 'nowhere' }, refused: 'plan_not_found' },
    { title: 'an unknown node', given, input: { ...lexer, node: 'nothing' }, refused: 'node_not_found' },
  ],
  recall(ctx, input) {
    const vertex = ctx.workState.find(input.plan, input.node);
    return vertex === undefined ? undefined : { reset: true, node: viewInBrief(viewContextOf(ctx), vertex, {}) };
  },
  run(ctx, input) {
    return ctx.log.commit((now) => {
      const vertex = anyNode(ctx.workState.plans, input.plan, input.node);
      if (isRefusal(vertex)) return vertex;
      const events = resetAttempts(factsOf(ctx, vertex, now));
      return {
        append: events.length > 0 ? [claimAppend(ctx, vertex, events, actor(input))] : [],
        reads: [planStreamOf(ctx, vertex)],
        answer: () => ({ reset: events.length > 0, node: viewInBrief({ ...ctx, now }, vertex, {}) }),
      };
    });
  },
});
