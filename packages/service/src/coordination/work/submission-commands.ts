import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal, refuse } from '../../kernel/outcome.ts';
import { withdrawSubmission } from '../claims/decide.ts';
import { anyNode } from '../plans/find-plan.ts';
import { by } from '../plans/names.ts';
import { given } from '../plans/samples.ts';
import { claimAppend, factsOf, planStreamOf } from './claiming.ts';
import { agent, fullView, withdrawAnswer } from './contract.ts';
import { viewInBrief } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

const lexer = { plan: 'checkout-2', node: 'lexer' };
const ada = { ...lexer, agent: 'ada' };
const submitted = [...given, ['claim_node', ada], ['release_node', { ...ada, outcome: 'submitted' }]] as const;

export const withdraw = command({
  name: 'withdraw_submission',
  description: 'Withdraw your submission: the node is ready again.',
  effect: 'write',
  scope: 'work',
  repeatable: true,
  gate: 'record',
  input: z.strictObject({
    plan: z.string(),
    node: z.string(),
    agent: agent.nullish(),
    view: fullView.meta({ 'x-restOnly': true }),
    by,
  }),
  output: withdrawAnswer,
  rest: { method: 'POST', path: '/api/plans/{plan}/nodes/{node}/withdraw', query: ['by'] },
  examples: [
    { title: 'your own submission', given: submitted, input: ada },
    { title: 'nothing is submitted', given, input: ada },
    { title: 'an unknown plan', input: { ...ada, plan: 'nowhere' }, refused: 'plan_not_found' },
    { title: 'an unknown node', given, input: { ...ada, node: 'nothing' }, refused: 'node_not_found' },
  ],
  recall(ctx, input) {
    const vertex = ctx.workState.find(input.plan, input.node);
    return vertex === undefined ? undefined : { withdrawn: true, node: viewInBrief(viewContextOf(ctx), vertex, input) };
  },
  run(ctx, input, caller) {
    return ctx.log.commit((now) => {
      const vertex = anyNode(ctx.workState.plans, input.plan, input.node);
      if (isRefusal(vertex)) return vertex;
      const submission = ctx.workState.submissionOf(vertex, now);
      if (submission && submission.agent !== input.agent && !caller.mayAuthor) {
        const who = `${submission.agent} submitted ${ctx.workState.plans.refOf(vertex)}`;
        return refuse(
          'scope_required',
          `${who}. Only the submitter, or a token with the author scope, may withdraw it.`,
          {
            scope: 'author',
          },
        );
      }
      const events = submission ? withdrawSubmission(factsOf(ctx, vertex, now)) : [];
      const actor = input.by ?? input.agent ?? 'anonymous';
      return {
        append: events.length > 0 ? [claimAppend(ctx, vertex, events, actor)] : [],
        reads: [planStreamOf(ctx, vertex)],
        answer: () => ({ withdrawn: events.length > 0, node: viewInBrief({ ...ctx, now }, vertex, input) }),
      };
    });
  },
});
