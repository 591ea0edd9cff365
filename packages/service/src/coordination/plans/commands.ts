import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { listed, listOf, paging } from '../../kernel/list.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import { planDocument, planSummary, planView } from './contract.ts';
import { appendsOf, createPlan } from './decide.ts';
import { actor, by } from './names.ts';
import type { Plan } from './plan.ts';
import type { PlanViews } from './ports.ts';
import { viewPlan } from './views.ts';

export type PlansContext = DispatchContext & { log: EventLog; plans: PlanBook; views: PlanViews };

const command = commandFor<PlansContext>();

export const unknownPlan = (slug: string): Refusal =>
  refuse('plan_not_found', `There is no plan ${slug}. List the plans to see their slugs.`);

const shop = {
  plan: 'checkout-2',
  title: 'Checkout 2.0',
  nodes: [{ id: 'lexer' }, { id: 'parser', dependsOn: ['lexer'] }],
};
const created = [['create_plan', { document: shop }]] as const;

const byChange = (a: Plan, b: Plan): number =>
  a.updatedAt === b.updatedAt ? (a.slug < b.slug ? -1 : 1) : a.updatedAt > b.updatedAt ? -1 : 1;

const listPlans = command({
  name: 'list_plans',
  says: 'Plans with counts of their nodes by status, newest change first.',
  effect: 'read',
  gate: 'record',
  input: z.strictObject({ archived: z.boolean().optional().describe('Archived ones only'), ...paging }),
  output: listOf(planSummary),
  rest: { method: 'GET', path: '/api/plans', query: ['archived', 'limit', 'offset'] },
  examples: [
    { title: 'the active plans', given: created, input: {} },
    { title: 'the archived plans', input: { archived: true } },
  ],
  run({ plans, views }, input) {
    const wanted = [...plans.all()].filter((plan) => (plan.archivedAt !== null) === (input.archived ?? false));
    return listed(wanted.sort(byChange), input, views.summary);
  },
});

const getPlan = command({
  name: 'get_plan',
  says: 'One plan as authored: nodes, edges and an order with dependencies first.',
  effect: 'read',
  gate: 'record',
  input: z.strictObject({ plan: z.string() }),
  output: planView,
  rest: { method: 'GET', path: '/api/plans/{plan}' },
  examples: [
    { title: 'a plan', given: created, input: { plan: 'checkout-2' } },
    { title: 'slugs are looked up without regard to case', given: created, input: { plan: 'CHECKOUT-2' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  run({ plans }, { plan }) {
    const found = plans.find(plan);
    return found ? viewPlan(found) : unknownPlan(plan);
  },
});

const create = command({
  name: 'create_plan',
  says: 'Creates a plan from a document of nodes, their dependencies and what proves them done.',
  effect: 'write',
  gate: 'record',
  input: z.strictObject({ document: planDocument, by }),
  output: planView,
  rest: {
    method: 'POST',
    path: '/api/plans',
    query: ['by'],
    body: 'document',
    status: () => 201,
    headers: ({ slug }) => ({ location: `/api/plans/${slug}` }),
  },
  examples: [
    { title: 'a plan of two nodes', input: { document: shop, by: 'ada' } },
    {
      title: 'a slug that is taken',
      given: created,
      input: { document: { plan: 'Checkout-2' } },
      refused: 'plan_exists',
    },
    {
      title: 'a typo',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependson: [] }] } },
      refused: 'invalid_request',
    },
    {
      title: 'a reference to no node of the plan',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependsOn: ['c'] }] } },
      refused: 'invalid_request',
    },
    {
      title: 'a node that waits for itself',
      input: { document: { plan: 'a', nodes: [{ id: 'b', dependsOn: ['b'] }] } },
      refused: 'self_dependency',
    },
    {
      title: 'two nodes that wait for each other',
      input: {
        document: {
          plan: 'a',
          nodes: [
            { id: 'b', dependsOn: ['c'] },
            { id: 'c', dependsOn: ['b'] },
          ],
        },
      },
      refused: 'cycle',
    },
  ],
  run({ log, plans }, input) {
    return log.commit(() => {
      const authored = createPlan(plans, input.document, 'api');
      if (isRefusal(authored)) return authored;
      return {
        append: appendsOf(authored, actor(input)),
        answer: () => {
          const plan = plans.find(authored.slug);
          if (!plan) throw new Error(`the plan ${authored.slug} was written and is not there`);
          return viewPlan(plan);
        },
      };
    });
  },
});

export const planCommands = [listPlans, getPlan, create];
