import { z } from 'zod';
import { createRunTask } from '../../event-loop/task.ts';
import { commandFor } from '../../kernel/command.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { activePlan } from '../plans/find-plan.ts';
import { given, givenArchived } from '../plans/samples.ts';
import { simulate, simulation, simulationOptions } from './simulate.ts';
import { sceneOf } from './simulation-scene.ts';
import type { WorkContext } from './work-context.ts';

const command = commandFor<WorkContext>();

export const simulatePlan = command({
  name: 'simulate_plan',
  description:
    'Simulates the open nodes of a plan with a number of agents: when it ends, who is idle when, the critical path, which node to split first.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({ plan: z.string(), ...simulationOptions }),
  output: simulation,
  rest: {
    method: 'GET',
    path: '/api/plans/{plan}/simulation',
    query: ['agents', 'minutes', 'failing', 'proofMinutes', 'brief', 'seed'],
  },
  examples: [
    { title: 'with eight agents', given, input: { plan: 'checkout-2', agents: 8, minutes: 30 } },
    { title: 'one attempt in ten fails', given, input: { plan: 'checkout-2', failing: 0.1, seed: 7 } },
    { title: 'an unknown plan', input: { plan: 'nowhere' }, refused: 'plan_not_found' },
    { title: 'an archived plan', given: givenArchived, input: { plan: 'checkout-2' }, refused: 'plan_not_found' },
  ],
  async run(ctx, { plan: slug, ...options }) {
    const plan = activePlan(ctx.workState.plans, slug);
    if (isRefusal(plan)) return plan;
    const scene = sceneOf(ctx.workState, plan, ctx.log.now());
    return createRunTask(ctx.yieldIfBusy ?? (() => undefined))(simulate(scene, options));
  },
});
