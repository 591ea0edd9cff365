import type { Clock } from '../../kernel/clock.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import type { NodeView } from '../plans/node-view.ts';
import { type ClaimLinks, noSessions, type SessionLookup, unobservedLinks, type ViewContext } from './claim-session.ts';
import { viewNode } from './view-node.ts';
import type { WorkState } from './work-state.ts';

export type WorkContext = DispatchContext & {
  log: EventLog;
  clock: Clock;
  workState: WorkState;
  links: ClaimLinks;
  sessions: SessionLookup;
  /** How many hours a submission waits for an automatic proof. */
  submittedHours: number;
  /** How many nodes of a repository may be claimed at the same time; null if there is no limit. */
  maxClaimsOf: (repository: string) => number | null;
  /** Settles once all counts of the ready order are exact: a list waits for that, a claim does not. */
  orderSettled: () => Promise<void>;
};

export type WorkDeps = {
  log: EventLog;
  clock: Clock;
  links?: ClaimLinks;
  sessions?: SessionLookup;
  submittedHours?: number;
  maxClaimsOf?: (repository: string) => number | null;
  /** How many attempts may fail, if neither a node nor its plan sets a limit. */
  maxAttempts?: number;
  orderSettled?: () => Promise<void>;
};

/** Everything that the work loop needs, on top of the folded state. */
export function workOver(deps: WorkDeps & { workState: WorkState }): WorkContext {
  const { log, clock, workState, links = unobservedLinks, sessions = noSessions, submittedHours = 4 } = deps;
  workState.maxAttempts = deps.maxAttempts ?? workState.maxAttempts;
  const { maxClaimsOf = () => null } = deps;
  const { orderSettled = async () => void workState.progress.settleOrder(Number.POSITIVE_INFINITY) } = deps;
  return { log, clock, workState, links, sessions, submittedHours, maxClaimsOf, orderSettled };
}

export const viewContextOf = ({ workState, links, log }: WorkContext): ViewContext => ({
  workState,
  links,
  now: log.now(),
});

/** The current view of a node, if it still exists. */
export function currentNodeView(work: WorkContext, plan: string, node: string): NodeView | undefined {
  const vertex = work.workState.find(plan, node);
  return vertex === undefined ? undefined : viewNode(viewContextOf(work), vertex);
}
