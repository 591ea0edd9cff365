import { nodeKey, streams } from '../../kernel/streams.ts';
import { refuseOthers } from '../claims/decide.ts';
import type { PlansContext } from '../plans/context.ts';
import { unknownNode } from '../plans/find-plan.ts';
import type { PlanViews } from '../plans/ports.ts';
import { linkOf } from './claim-session.ts';
import { claimantOf, factsOf } from './claiming.ts';
import { leftOpen, summarise } from './summary.ts';
import { viewNode } from './view-node.ts';
import { type WorkContext, type WorkDeps, workOver } from './work-context.ts';
import { WorkState } from './work-state.ts';

/** Folds the log and returns everything that plans and the work loop need. */
export async function openWork(deps: WorkDeps): Promise<WorkContext & PlansContext> {
  const workState = new WorkState();
  await deps.log.attach(workState);
  const work = workOver({ ...deps, workState });
  return { ...work, ...plansOver(work) };
}

/** The parts of the work that the commands of plans need. */
export const plansOver = (work: WorkContext): PlansContext => ({
  log: work.log,
  plans: work.workState.plans,
  views: planViews(work),
});

function planViews(work: WorkContext): PlanViews {
  const { workState, links } = work;
  const now = () => work.log.now();
  return {
    summary: (plan) => summarise({ workState, links, now: now() }, plan),
    node(plan, node) {
      const vertex = workState.find(plan, node);
      if (vertex === undefined) throw new Error(`${plan}/${node} was written but cannot be found`);
      return viewNode({ workState, links, now: now() }, vertex);
    },
    dependentsAndClaims: (plan) => leftOpen(workState, plan, now()),
    claimStream: (plan, node) => streams.claim(nodeKey(plan, node)),
    checkHolder(plan, node, { agent, ...request }, caller) {
      const vertex = workState.find(plan, node);
      if (vertex === undefined) return unknownNode(plan, node);
      const ask = claimantOf({ ...request, agent: agent ?? '' }, caller, work.sessions);
      return refuseOthers(ask, factsOf(work, vertex, now()));
    },
    liveClaim(plan, node, at) {
      const vertex = workState.find(plan, node);
      const lease = vertex === undefined ? null : workState.liveLease(vertex, at);
      if (vertex === undefined || lease === null) return null;
      const { health, reason } = linkOf({ workState, links }, vertex, lease);
      return { heldBy: lease.agent, heldUntil: lease.expiresAt, health, reason };
    },
  };
}
