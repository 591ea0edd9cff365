import type { Clock } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { claimStream } from '../claims/book.ts';
import type { Facts } from '../claims/decide.ts';
import type { PlansContext } from '../plans/context.ts';
import type { PlanFiles, PlanViews } from '../plans/ports.ts';
import { linkOf, type Sight, viewNode } from './node-view.ts';
import { Picture } from './picture.ts';
import { type ClaimLinks, type LiveSessions, noSessions, unobservedLinks } from './ports.ts';
import { leftBehind, summarise } from './summary.ts';

export type WorkContext = PlansContext & { clock: Clock; picture: Picture; links: ClaimLinks; sessions: LiveSessions };

type Ground = {
  log: EventLog;
  clock: Clock;
  links?: ClaimLinks;
  sessions?: LiveSessions;
  files?: PlanFiles | undefined;
};

/** Folds the log and gives everything that plans and the work loop need. */
export async function openWork(ground: Ground): Promise<WorkContext> {
  const { log, clock, links = unobservedLinks, sessions = noSessions, files } = ground;
  const picture = new Picture();
  await log.attach(picture);
  const views = planViews(picture, links, () => log.now());
  return { log, clock, picture, plans: picture.plans, views, links, sessions, files };
}

function planViews(picture: Picture, links: ClaimLinks, now: () => string): PlanViews {
  return {
    summary: (plan) => summarise(picture, plan, now()),
    node(plan, node) {
      const vertex = picture.find(plan, node);
      if (vertex === undefined) throw new Error(`${plan}/${node} was written and is not there`);
      return viewNode({ picture, links, now: now() }, vertex);
    },
    leftBehind: (plan) => leftBehind(picture, plan, now()),
    claimStream: (plan, node) => claimStream(`${plan}/${node}`),
    liveClaim(plan, node, at) {
      const vertex = picture.find(plan, node);
      const lease = vertex === undefined ? null : picture.liveLease(vertex, at);
      if (vertex === undefined || lease === null) return null;
      const { health, reason } = linkOf({ picture, links }, vertex, lease);
      return { heldBy: lease.agent, heldUntil: lease.expiresAt, health, reason };
    },
  };
}

export const sightOf = ({ picture, links, log }: WorkContext): Sight => ({ picture, links, now: log.now() });

/** What a claim decision looks at. */
export function factsOf({ picture, links, sessions }: WorkContext, vertex: number, now: string): Facts {
  const holding = picture.claims.of(picture.keyOf(vertex));
  return {
    now,
    ref: picture.plans.refOf(vertex),
    id: picture.plans.graph.nodes[vertex]?.id ?? '',
    done: picture.standing.isDone(vertex),
    holding,
    lives: (session) => sessions.lives(session),
    seen: () => {
      const { lease } = holding;
      if (!lease) return { health: 'unlinked', reason: null };
      const { health, reason } = linkOf({ picture, links }, vertex, lease);
      return { health, reason };
    },
  };
}

export const claimStreamOf = ({ picture }: WorkContext, vertex: number): string => claimStream(picture.keyOf(vertex));
