import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import type { PlansContext } from './context.ts';
import { planSummary, planView } from './contract.ts';
import { unknownPlan } from './find-plan.ts';
import { documentOf } from './normalise.ts';
import { writePlanText } from './plan-text.ts';
import { viewPlan } from './plan-view.ts';
import { given, givenArchived } from './samples.ts';

const command = commandFor<PlansContext>();

const listPlans = command({
  name: 'list_plans',
  description: 'Plans with counts of their nodes by status, newest change first.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ archived: z.boolean().optional().describe('Archived ones only'), ...paging }),
  output: listOf(planSummary),
  rest: { method: 'GET', path: '/api/plans', query: ['archived', 'limit', 'offset', 'cursor'] },
  examples: [
    { title: 'the active plans', given, input: {} },
    { title: 'the archived plans', given: givenArchived, input: { archived: true } },
  ],
  run({ plans, views }, input) {
    const wanted = [...plans.all()].filter((plan) => (plan.archivedAt !== null) === (input.archived ?? false));
    return listPage(
      wanted.sort((a, b) => b.changedSequence - a.changedSequence),
      input,
      views.summary,
    );
  },
});

const getPlan = command({
  name: 'get_plan',
  description: 'One plan as authored: nodes, edges and an order with dependencies first.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ plan: z.string() }),
  output: planView,
  rest: { method: 'GET', path: '/api/plans/{plan}', headers: { etag: ({ version }) => `"${version}"` } },
  examples: [
    { title: 'a plan', given, input: { plan: 'checkout-2' } },
    { title: 'slugs are not case-sensitive', given, input: { plan: 'CHECKOUT-2' } },
    { title: 'an archived plan can still be read', given: givenArchived, input: { plan: 'checkout-2' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  run({ plans }, { plan }) {
    const found = plans.find(plan);
    return found ? viewPlan(found) : unknownPlan(plan);
  },
});

const planDocument = command({
  name: 'plan_document',
  description: 'The plan as the YAML document that it can be imported from.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({ plan: z.string() }),
  output: z.custom<Document>((answer) => answer instanceof Document),
  rest: { method: 'GET', path: '/api/plans/{plan}/document', responseTypes: ['application/yaml'] },
  examples: [
    { title: 'a plan', given, input: { plan: 'checkout-2' } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
  ],
  run({ plans }, { plan }) {
    const found = plans.find(plan);
    return found ? new Document('application/yaml', writePlanText(documentOf(found))) : unknownPlan(plan);
  },
});

export const planReads = [listPlans, getPlan, planDocument];
