import type { Clock } from '../../kernel/clock.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { nodeKey, streams } from '../../kernel/streams.ts';
import type { PlansContext } from '../plans/context.ts';
import type { NodeView } from '../plans/node-view.ts';
import type { PlanViews } from '../plans/ports.ts';
import {
  type ClaimLinks,
  linkOf,
  noSessions,
  type SessionLookup,
  unobservedLinks,
  type ViewContext,
} from './claim-session.ts';
import { leftOpen, summarise } from './summary.ts';
import { viewNode } from './view-node.ts';
import { WorkState } from './work-state.ts';

export type WorkContext = DispatchContext & {
  log: EventLog;
  clock: Clock;
  workState: WorkState;
  links: ClaimLinks;
  sessions: SessionLookup;
  /** How long a proof that a machine observes is awaited. */
  submittedHours: number;
  /** Settles once the ready order lacks no count: a list is worth waiting for, a claim is not. */
  orderSettled: () => Promise<void>;
};

type WorkDeps = {
  log: EventLog;
  clock: Clock;
  links?: ClaimLinks;
  sessions?: SessionLookup;
  submittedHours?: number;
  /** How many attempts may fail where neither a node nor its plan says how many. */
  maxAttempts?: number;
  orderSettled?: () => Promise<void>;
};

/** Folds the log and gives everything that plans and the work loop need. */
export async function openWork(deps: WorkDeps): Promise<WorkContext & PlansContext> {
  const workState = new WorkState();
  await deps.log.attach(workState);
  const work = workOver({ ...deps, workState });
  return { ...work, ...plansOver(work) };
}

/** The same over what is folded already. */
export function workOver(deps: WorkDeps & { workState: WorkState }): WorkContext {
  const { log, clock, workState, links = unobservedLinks, sessions = noSessions, submittedHours = 4 } = deps;
  workState.maxAttempts = deps.maxAttempts ?? workState.maxAttempts;
  const { orderSettled = async () => void workState.progress.settleOrder(Number.POSITIVE_INFINITY) } = deps;
  return { log, clock, workState, links, sessions, submittedHours, orderSettled };
}

/** What the commands of plans need of the work. */
export const plansOver = ({ log, workState, links }: WorkContext): PlansContext => ({
  log,
  plans: workState.plans,
  views: planViews(workState, links, () => log.now()),
});

function planViews(workState: WorkState, links: ClaimLinks, now: () => string): PlanViews {
  return {
    summary: (plan) => summarise(workState, plan, now()),
    node(plan, node) {
      const vertex = workState.find(plan, node);
      if (vertex === undefined) throw new Error(`${plan}/${node} was written and is not there`);
      return viewNode({ workState, links, now: now() }, vertex);
    },
    dependentsAndClaims: (plan) => leftOpen(workState, plan, now()),
    claimStream: (plan, node) => streams.claim(nodeKey(plan, node)),
    liveClaim(plan, node, at) {
      const vertex = workState.find(plan, node);
      const lease = vertex === undefined ? null : workState.liveLease(vertex, at);
      if (vertex === undefined || lease === null) return null;
      const { health, reason } = linkOf({ workState, links }, vertex, lease);
      return { heldBy: lease.agent, heldUntil: lease.expiresAt, health, reason };
    },
  };
}

export const viewContextOf = ({ workState, links, log }: WorkContext): ViewContext => ({
  workState,
  links,
  now: log.now(),
});

/** How a node reads now, where it is still there. */
export function currentNodeView(work: WorkContext, plan: string, node: string): NodeView | undefined {
  const vertex = work.workState.find(plan, node);
  return vertex === undefined ? undefined : viewNode(viewContextOf(work), vertex);
}
